from talekeeper.testing.conformance.promising import PromisingConformance


class TestPromising(PromisingConformance):
    pass
