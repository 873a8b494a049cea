package import Codecs
package import MediaCore

/// A track of a movie file: what it is, and where its samples are.
package struct MovieTrack: Sendable {
    package var track: Track
    package var codec: Codec
    /// Empty for an unsupported codec: nobody could package its samples.
    package var samples: SampleTable
    package var edit: PresentationEdit
    /// Rotation and mirroring as `tkhd` stores it: nine 32-bit fixed-point numbers.
    package var displayMatrix: DisplayMatrix
    /// Players are to choose it unless told otherwise (`tkhd` flag track_enabled, §8.3.2).
    package var isEnabled = true
    /// It belongs to another track and is no video or audio of its own: an alpha plane or a depth map (`tref` type `auxl`,
    /// ISO/IEC 14496-12 §8.3.3), or the images of a chapter list (`chap`).
    package var isAuxiliary = false
    /// What `elng` (§8.4.6) or else `mdhd` says.
    package var language: LanguageTag?
    /// What `pasp` (§12.1.4) says; `nil` where there is none, and the stream itself is to be believed.
    package var pixelAspectRatio: SampleAspectRatio?

    package enum Codec: Sendable, Hashable {
        case supported(CodecConfiguration)
        /// The sample entry's type, and why it is not packaged in place.
        case unsupported(FourCC, reason: String)
    }

    /// The supported codec's parameters.
    package var configuration: CodecConfiguration? {
        if case .supported(let configuration) = codec { configuration } else { nil }
    }
}

extension MovieTrack {
    /// Which track it is and why it is not packaged, for people; `nil` for a supported codec.
    package var leftOutText: String? {
        guard case .unsupported(_, let reason) = codec else { return nil }
        let kind = track.mediaType == .video ? "video" : "audio"
        let language = language.map { ", \($0.text)" } ?? ""
        return "\(kind) track \(track.id)\(language): \(reason)"
    }
}

/// How the track's own timeline maps to the movie's: an `elst` with at most one empty edit and one media edit
/// (ISO/IEC 14496-12 §8.6.6), which is what encoders write for a late start, for reordering and for priming.
package struct PresentationEdit: Sendable, Hashable {
    /// Silence or darkness before the track starts, in the movie's timescale.
    package var emptyDuration: MediaTime
    /// The composition time, in the track's timescale, that is presented first.
    package var mediaTime: Int64
    /// The composition time, in the track's timescale, at which presentation ends; `nil` for the media's own end.
    package var endTime: Int64?

    package init(emptyDuration: MediaTime, mediaTime: Int64, endTime: Int64? = nil) {
        self.emptyDuration = emptyDuration
        self.mediaTime = mediaTime
        self.endTime = endTime
    }
}

/// The transformation matrix of `tkhd` (§8.3.2), kept as written.
package struct DisplayMatrix: Sendable, Hashable {
    /// Nine.
    package var values: [UInt32]

    package static let identity = DisplayMatrix(values: [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000])
}
