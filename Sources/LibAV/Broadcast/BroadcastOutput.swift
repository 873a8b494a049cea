package import Codecs
package import MediaCore

/// What a capture hands out, in order for each track.
package enum BroadcastOutput: Sendable {
    /// How many tracks there will be; the first output.
    case tracks(Set<MediaType>, BroadcastSummary)
    /// Before a track's first unit, and again where it changes.
    case configuration(CodecConfiguration, Timescale)
    /// Times count from the start of the capture, on one line for all tracks.
    case unit(MediaType, AccessUnit)
    case preview(PreviewPicture)
    /// Something that a person should know: a device has gone.
    case notice(String)
    /// The source has come to its end.
    case ended
    /// The last output: nothing more can be captured.
    case failed(LibAVError)
}

/// What is captured and what becomes of it, for people.
public struct BroadcastSummary: Hashable, Sendable {
    /// As "H.264 1280x720, copied".
    public var picture: String?
    /// As "AAC at 128 kbit/s".
    public var sound: String?

    /// `nil` for a track that there is not.
    public init(picture: String?, sound: String?) {
        self.picture = picture
        self.sound = sound
    }
}

/// A small picture of what is being sent.
public struct PreviewPicture: Sendable {
    /// Pixels.
    public var width: Int
    /// Pixels.
    public var height: Int
    /// Three bytes a pixel, row by row without gaps; or a JPEG file.
    public var bytes: [UInt8]

    /// Bytes as ``bytes`` describes them.
    public init(width: Int, height: Int, bytes: [UInt8]) {
        self.width = width
        self.height = height
        self.bytes = bytes
    }
}

/// What previews are wanted.
public struct PreviewRequest: Hashable, Sendable {
    /// As raw bytes, or as a JPEG file.
    public enum Form: Hashable, Sendable { case rgb, jpeg }

    /// What ``PreviewPicture/bytes`` are to be.
    public var form: Form
    /// Pixels at most; the shape is kept.
    public var width: Int
    /// Pixels at most.
    public var height: Int
    /// At most.
    public var picturesPerSecond: Double

    /// Sides in pixels.
    public init(form: Form, width: Int, height: Int, picturesPerSecond: Double) {
        self.form = form
        self.width = width
        self.height = height
        self.picturesPerSecond = picturesPerSecond
    }
}
