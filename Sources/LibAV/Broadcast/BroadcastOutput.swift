package import Codecs
package import MediaCore

/// The output of a capture, in order for each track.
package enum BroadcastOutput: Sendable {
    /// The tracks that there will be; the first output.
    case tracks(Set<MediaType>, BroadcastSummary)
    /// The configuration of a track, sent before its first unit and after each change.
    case configuration(CodecConfiguration, Timescale)
    /// An encoded frame. Times count from the start of the capture, on one timeline for all tracks.
    case unit(MediaType, AccessUnit)
    /// An image of what is being sent.
    case preview(PreviewPicture)
    /// A human-readable notice, such as that a device has been lost.
    case notice(String)
    /// The source has ended.
    case ended
    /// The last output: the capture cannot continue.
    case failed(LibAVError)
}

/// A human-readable description of what is captured and how it is sent.
public struct BroadcastSummary: Hashable, Sendable {
    /// The video, such as "H.264 1280x720, copied"; `nil` if there is none.
    public var picture: String?
    /// The audio, such as "AAC at 128 kbit/s"; `nil` if there is none.
    public var sound: String?

    /// Creates a description; `nil` means that there is no such track.
    public init(picture: String?, sound: String?) {
        self.picture = picture
        self.sound = sound
    }
}

/// A small image of what is being sent.
public struct PreviewPicture: Sendable {
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// Three bytes per pixel, row by row without gaps; or a JPEG file.
    public var bytes: [UInt8]

    /// Creates an image; `bytes` are as described at ``bytes``.
    public init(width: Int, height: Int, bytes: [UInt8]) {
        self.width = width
        self.height = height
        self.bytes = bytes
    }
}

/// A request for preview images.
public struct PreviewRequest: Hashable, Sendable {
    /// The format of an image: raw bytes or a JPEG file.
    public enum Form: Hashable, Sendable { case rgb, jpeg }

    /// The format of ``PreviewPicture/bytes``.
    public var form: Form
    /// The maximum width in pixels; the aspect ratio is kept.
    public var width: Int
    /// The maximum height in pixels.
    public var height: Int
    /// The maximum number of images per second.
    public var picturesPerSecond: Double

    /// Creates a request; width and height are in pixels.
    public init(form: Form, width: Int, height: Int, picturesPerSecond: Double) {
        self.form = form
        self.width = width
        self.height = height
        self.picturesPerSecond = picturesPerSecond
    }
}
