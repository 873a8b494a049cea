package import Codecs
package import MediaCore

/// A track of a movie file: its parameters, and the positions of its samples.
package struct MovieTrack: Sendable {
    package var track: Track
    package var codec: Codec
    /// Sample positions; empty if the codec is unsupported, because its samples cannot be packaged.
    package var samples: SampleTable
    package var edit: PresentationEdit
    /// Rotation and mirroring from `tkhd`.
    package var displayMatrix: DisplayMatrix
    /// Whether players should select the track by default (`tkhd` flag track_enabled, ISO/IEC 14496-12 §8.3.2).
    package var isEnabled = true
    /// Whether the track belongs to another one and is not video or audio in its own right: an alpha plane or a depth
    /// map (`tref` type `auxl`, ISO/IEC 14496-12 §8.3.3), or the images of a chapter list (`chap`).
    package var isAuxiliary = false
    /// Language from `elng` (ISO/IEC 14496-12 §8.4.6), otherwise from `mdhd`; `nil` if neither names one.
    package var language: LanguageTag?
    /// The author's description of the track.
    package var userData = TrackUserData()
    /// Shape of a pixel from `pasp` (ISO/IEC 14496-12 §12.1.4); `nil` if there is none, in which case the stream's
    /// own value applies.
    package var pixelAspectRatio: SampleAspectRatio?
    /// The dates at which its media were recorded, by the time since its first sample; empty if the file has none.
    package var dates = ProgramDates()

    /// Codec of a track, and whether its samples can be packaged without conversion.
    package enum Codec: Sendable, Hashable {
        case supported(CodecConfiguration)
        /// A codec that cannot be packaged without conversion: the sample entry's type and the reason.
        case unsupported(FourCC, reason: String)
        /// Media that cannot be decoded without a key (ISO/IEC 14496-12 §8.12): the protection scheme, such as `cenc`;
        /// `nil` if the sample entry does not name it.
        case encrypted(scheme: FourCC?)

        /// The reason why the track cannot be packaged; `nil` for a supported codec.
        package var obstacle: String? {
            switch self {
            case .supported: return nil
            case .unsupported(_, let reason): return reason
            case .encrypted(let scheme):
                return
                    "is encrypted\(scheme.map { " (\($0))" } ?? ""); only files without copy protection can be played"
            }
        }
    }

    /// Parameters of a supported codec; `nil` for an unsupported one.
    package var configuration: CodecConfiguration? {
        if case .supported(let configuration) = codec { configuration } else { nil }
    }
}

extension MovieTrack {
    /// A human-readable description of the track and of the reason why it is not packaged; `nil` for a supported codec.
    package var leftOutText: String? {
        guard let reason = codec.obstacle else { return nil }
        let kind = track.mediaType == .video ? "video" : "audio"
        let language = language.map { ", \($0.text)" } ?? ""
        return "\(kind) track \(track.id)\(language): \(reason)"
    }
}
