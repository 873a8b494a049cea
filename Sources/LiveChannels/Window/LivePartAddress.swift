import Packaging

/// The address of a part, as in the playlist's URIs.
package struct LivePartAddress: Sendable, Hashable {
    package var rendition: String
    package var epoch: String
    /// The media sequence number of the part's segment.
    package var mediaSequence: Int
    /// The position of the part in its segment, from 0.
    package var index: Int

    package init(rendition: String, epoch: String, mediaSequence: Int, index: Int) {
        self.rendition = rendition
        self.epoch = epoch
        self.mediaSequence = mediaSequence
        self.index = index
    }
}
