/// The sections of the video club. The raw values are the names in the API.
package enum TitleSection: String, Sendable, Hashable, CaseIterable {
    /// What the operator recommends.
    case featured
    /// What was added lately.
    case new
    /// What costs less than usual.
    case offers
    /// What costs nothing.
    case free
}
