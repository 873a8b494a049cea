/// The place of a part in its rendition.
package struct LivePartPosition: Sendable, Hashable {
    /// The media sequence number of the segment.
    package var mediaSequence: Int
    /// The position in the segment.
    package var index: Int
}
