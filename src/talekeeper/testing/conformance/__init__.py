"""What every store must do. Subclass these in a test module that has a `store` fixture."""
