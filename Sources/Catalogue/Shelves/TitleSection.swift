/// The sections of the video club. The raw values are the names in the API.
package enum TitleSection: String, Sendable, Hashable, CaseIterable {
    /// Titles that the operator recommends.
    case featured
    /// Titles that were added lately.
    case new
    /// Titles that cost less than usual.
    case offers
    /// Free titles.
    case free
}
