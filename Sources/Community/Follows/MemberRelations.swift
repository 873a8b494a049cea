/// Parts of statements of other domains: follows, blocks and mutes. The columns and parameters that are passed are
/// those of the statement.
package enum MemberRelations {
    /// The condition that a member follows another one.
    package static func follows(_ follower: String, member: String) -> String {
        """
        EXISTS (SELECT 1 FROM memberFollow AS following
            WHERE following.follower = \(follower) AND following.followed = \(member))
        """
    }

    /// The condition that a member follows the competition with a row number.
    package static func follows(_ follower: String, competition: String) -> String {
        """
        EXISTS (SELECT 1 FROM competitionFollow AS following
            WHERE following.competition = \(competition) AND following.userID = \(follower))
        """
    }

    /// The condition that a member blocks or mutes another one.
    package static func avoids(_ member: String, member other: String) -> String {
        "EXISTS (SELECT 1 FROM memberBarrier AS barrier WHERE barrier.userID = \(member) AND barrier.otherID = \(other))"
    }

    /// The condition that a member blocks another one.
    package static func blocks(_ member: String, member other: String) -> String {
        """
        EXISTS (SELECT 1 FROM memberBarrier AS barrier WHERE barrier.userID = \(member)
            AND barrier.otherID = \(other) AND barrier.kind = '\(BarrierKind.block.rawValue)')
        """
    }

    /// The condition that the profile of an account is shown, so that its name is.
    package static func isProfileShown(_ account: String) -> String {
        """
        NOT EXISTS (SELECT 1 FROM memberProfile AS hiding
            WHERE hiding.userID = \(account) AND hiding.state = '\(ProfileState.hidden.rawValue)')
        """
    }

    /// A table of a member's followers, with `follower` and `number`, which grows in the order in which they began.
    package static func followers(of member: String, as name: String) -> String {
        "(SELECT number, follower FROM memberFollow WHERE followed = \(member)) AS \(name)"
    }
}
