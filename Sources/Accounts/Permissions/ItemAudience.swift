/// Who may watch a single title or track.
package struct ItemAudience: Sendable, Hashable {
    /// `nil` for the audience of its section.
    package var audience: Audience?
    /// The accounts that may watch it whatever its audience is.
    package var invited: Set<UserID>

    package init(_ audience: Audience? = nil, invited: Set<UserID> = []) {
        (self.audience, self.invited) = (audience, invited)
    }
}
