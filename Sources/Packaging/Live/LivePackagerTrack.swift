package import Codecs
import ISOBMFF
package import MediaCore

/// A track for a live packager.
package struct LivePackagerTrack: Sendable {
    package var track: Track
    package var configuration: CodecConfiguration
    package var rendition: RenditionID
    /// The sample that fills the whole track if the publisher does not send it; `nil` for the publisher's own tracks.
    package var standIn: FillerSample?
    /// True if the track is made of the leading track's units, on the output's timeline.
    var isRung: Bool { rendition.isRung && standIn == nil }

    /// Creates a track; without `standIn` it is one that the publisher sends, and without `rendition` it becomes the
    /// main one of its media type.
    package init(
        track: Track, configuration: CodecConfiguration, rendition: RenditionID? = nil, standIn: FillerSample? = nil
    ) {
        self.track = track
        self.configuration = configuration
        self.rendition = rendition ?? RenditionID(track.mediaType)
        self.standIn = standIn
    }
}
