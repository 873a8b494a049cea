package import APIContract
package import APIDeclarations
package import Catalogue
import HTTPEndpoints
import JSONDocument
import LibraryCore
import LibraryDetails
package import MediaCore
import MediaFolders
import Workflows

/// The JSON representations of the API's resources. `/api/v1/openapi.json` describes their fields.
package enum APIResources {
    /// The JSON of a title.
    ///
    /// - Parameters:
    ///   - title: the title's record.
    ///   - encryption: how the title is encrypted, `.some(nil)` for one in the clear; `nil` if that is not known,
    ///     because no server is running.
    package static func title(
        _ title: TitleRecord, encryption: EncryptionMethod?? = nil
    ) -> APIObject<TitleFields> {
        TitleFields.object { f in
            let own: [JSONText.Field?] = [
                f.id(title.id), f.title(title.title), f.file(title.file), f.kind(title.kind.rawValue),
                f.state(title.state.rawValue), f.progress(title.progress), f.error(title.error),
                f.ingestSeconds(title.ingestSeconds), f.duration(title.duration.map(milliseconds)),
                f.width(title.width), f.height(title.height), f.frameRate(title.frameRate),
                f.videoCodec(title.videoCodec), f.audioCodec(title.audioCodec), f.byteCount(Int(title.byteCount)),
                f.playlist(ResourcePaths.playlist(title)),
                f.manifest(encryption == .aes128 ? nil : ResourcePaths.manifest(title)),
                f.poster(ResourcePaths.poster(title)),
                f.posterAt(title.posterTime), f.storyboard(ResourcePaths.storyboard(title)),
                f.leftOut(title.leftOut), f.duplicateOf(title.duplicateOf), f.encrypt(encryption.map { $0 != nil }),
                f.encryption(encryption.map { EncryptionMethod.settingName(of: $0) }),
                f.addedAt(APITime(timestamp(title.addedAt))),
            ]
            let details: [DetailField] = [
                .description, .year, .genres, .cast, .ageRating, .website, .series, .season, .episode, .artist, .album,
            ]
            return own + fields(title.details, details)
        }
    }

    /// Seconds to the millisecond: a media time that is no decimal fraction has 15 digits otherwise.
    private static func milliseconds(_ seconds: Double) -> Double { (seconds * 1_000).rounded() / 1_000 }

    /// The JSON of an audio track.
    package static func track(_ track: AudioTrackRecord) -> APIObject<TrackFields> {
        TrackFields.object { f in
            let own: [JSONText.Field?] = [
                f.id(track.id), f.title(track.title), f.artist(track.artist), f.album(track.album),
                f.year(track.year), f.trackNumber(track.trackNumber), f.genre(track.genre),
                f.duration(track.duration.map(milliseconds)), f.codec(track.codec), f.sampleRate(track.sampleRate),
                f.channels(track.channels), f.byteCount(Int(track.byteCount)), f.state(track.state.rawValue),
                f.error(track.error), f.ingestSeconds(track.ingestSeconds),
                f.playlist(ResourcePaths.playlist(track)), f.manifest(ResourcePaths.manifest(track)),
                f.file("/radio/\(track.id)/file"),
                f.cover(ResourcePaths.cover(track)), f.duplicateOf(track.duplicateOf),
                f.addedAt(APITime(timestamp(track.addedAt))),
            ]
            return own + fields(track.details, [.genres, .description, .website])
        }
    }

    /// The members of an object, for one that has others besides.
    static func members(of object: some APIValue) -> [JSONText.Field?] {
        guard case .members(let members) = object.json else { return [] }
        return members.map { (name: $0.name, value: $0.value) }
    }

    static func misplaced(_ file: MisplacedFile) -> APIObject<MisplacedFileFields> {
        MisplacedFileFields.object {
            [$0.file(file.file), $0.reason(file.reason.rawValue), $0.belongsTo(file.section?.rawValue)]
        }
    }

    static func preset(_ preset: QualityPreset) -> APIObject<PresetFields> {
        PresetFields.object {
            [
                $0.name(preset.name), $0.width(preset.width), $0.height(preset.height),
                $0.frameRate(preset.frameRate), $0.videoBitrate(preset.videoBitRate),
                $0.audioBitrate(preset.audioBitRate),
            ]
        }
    }
}
