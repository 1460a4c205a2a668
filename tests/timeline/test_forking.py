from talekeeper.testing.conformance.forking import ForkingConformance


class TestForking(ForkingConformance):
    pass
