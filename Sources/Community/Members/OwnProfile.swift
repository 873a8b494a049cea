import MediaCore

/// A member's own profile, and its visibility.
package struct OwnProfile: Sendable, Hashable {
    package enum Visibility: String, Sendable, Hashable, CaseIterable {
        case everybody
        /// Members who have logged in.
        case members
    }

    package var about: String
    /// The audience of the profile.
    package var visibility: Visibility
    /// Whether others see who follows whom.
    package var showsFollows: Bool
    /// Whether others see what the member likes.
    package var showsLikes: Bool

    /// In characters.
    package static let maximumAboutLength = 2_000

    package init(
        about: String = "", visibility: Visibility = .everybody, showsFollows: Bool = true, showsLikes: Bool = true
    ) {
        (self.about, self.visibility) = (about, visibility)
        (self.showsFollows, self.showsLikes) = (showsFollows, showsLikes)
    }

    /// Without control characters, and within the limit.
    ///
    /// - Throws: `Refusal` with `invalidField`.
    func checked() throws(Refusal) -> OwnProfile {
        var checked = self
        checked.about = try MemberText.lines(about, "about", maximumLength: Self.maximumAboutLength)
        return checked
    }
}
