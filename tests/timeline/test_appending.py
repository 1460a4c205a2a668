from talekeeper.testing.conformance.appending import AppendingConformance


class TestAppending(AppendingConformance):
    pass
