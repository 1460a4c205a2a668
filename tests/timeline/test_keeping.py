from talekeeper.testing.conformance.keeping import KeepingConformance


class TestKeeping(KeepingConformance):
    pass
