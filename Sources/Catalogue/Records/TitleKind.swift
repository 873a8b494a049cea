/// The kind of a title. The raw values are the names in the API and in the database; `TitleKindRows` has the rule.
///
/// The video club lists films. A trailer is reached from its film, recordings of channels have a list of their own, and
/// the videos that members send are in the community.
package enum TitleKind: String, Sendable, Hashable, CaseIterable {
    case film
    /// The trailer of another title.
    case trailer
    /// A recording or clip of a channel.
    case recording
    /// A file that a member has sent.
    case memberVideo = "member-video"
}
