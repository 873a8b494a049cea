package import Codecs
package import LibAV
package import MediaCore

/// The output of a capture, in order for each track.
package enum BroadcastOutput: Sendable {
    /// The tracks that there will be; the first output.
    case tracks(Set<MediaType>, BroadcastSummary)
    /// The configuration of a track, sent before its first unit and after each change.
    case configuration(CodecConfiguration, Timescale)
    /// An encoded frame. Times count from the start of the capture, on one timeline for all tracks.
    case unit(MediaType, AccessUnit)
    /// An image of the media that is being sent.
    case preview(PreviewImage)
    /// A human-readable notice, such as that a device has been lost.
    case notice(String)
    /// The source has ended.
    case ended
    /// The last output: the capture cannot continue.
    case failed(LibAVError)
}
