import Packaging

/// The position for which a blocking playlist reload waits (draft-pantos-hls-rfc8216bis §6.2.5.2).
package struct ReloadPosition: Sendable, Hashable {
    /// The media sequence number (`_HLS_msn`).
    package var mediaSequence: Int
    /// The part's index in its segment (`_HLS_part`); `nil` for the whole segment.
    package var part: Int?

    package init(mediaSequence: Int, part: Int?) {
        self.mediaSequence = mediaSequence
        self.part = part
    }
}
