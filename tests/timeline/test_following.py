from talekeeper.testing.conformance.following import FollowingConformance


class TestFollowing(FollowingConformance):
    pass
