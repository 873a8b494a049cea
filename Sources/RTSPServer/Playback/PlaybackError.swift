/// The reason why a PLAY request cannot be carried out.
enum PlaybackError: Error, Hashable {
    /// The push that was described has ended.
    case gone
    /// No track is set up.
    case nothingSetUp
    /// The range is not within the title; the status is 457 (RFC 2326 §11.3.8).
    case invalidRange
}
