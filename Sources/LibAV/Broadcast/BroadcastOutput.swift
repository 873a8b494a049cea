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
package struct BroadcastSummary: Hashable, Sendable {
    /// As "H.264 1280x720, copied".
    package var picture: String?
    package var sound: String?

    package init(picture: String?, sound: String?) {
        self.picture = picture
        self.sound = sound
    }
}

/// A small picture of what is being sent.
package struct PreviewPicture: Sendable {
    package var width: Int
    package var height: Int
    /// Three bytes a pixel, row by row without gaps; or a JPEG file.
    package var bytes: [UInt8]

    package init(width: Int, height: Int, bytes: [UInt8]) {
        self.width = width
        self.height = height
        self.bytes = bytes
    }
}

/// What previews are wanted.
package struct PreviewRequest: Hashable, Sendable {
    package enum Form: Hashable, Sendable { case rgb, jpeg }

    package var form: Form
    /// Pixels at most; the shape is kept.
    package var width: Int
    package var height: Int
    package var picturesPerSecond: Double

    package init(form: Form, width: Int, height: Int, picturesPerSecond: Double) {
        self.form = form
        self.width = width
        self.height = height
        self.picturesPerSecond = picturesPerSecond
    }
}
