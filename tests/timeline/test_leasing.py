from talekeeper.testing.conformance.leasing import LeasingConformance


class TestLeasing(LeasingConformance):
    pass
