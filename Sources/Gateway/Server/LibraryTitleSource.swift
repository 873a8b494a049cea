import Catalogue
import Packaging
import RTSPServer
import VODLibrary

/// Finds titles and tracks for the delivery handler: by name in the catalogue, opened by the library.
struct LibraryTitleSource: PackagedTitleSource {
    let catalogue: Catalogue
    let library: VODLibrary
    let extras: LibraryTitleExtras

    func packagedTitle(at address: TitleAddress) async throws -> TitleLookup {
        switch address {
        case .title(let id):
            return try await lookup(try await catalogue.title(id: id))
        case .titleFile(let name):
            return try await lookup(try await catalogue.title(file: name))
        case .track(let id):
            guard let track = try await catalogue.track(id: id) else { return .unknown }
            guard let packaged = try await library.packagedTrack(track) else {
                return .notReady(reason: track.error ?? "the track is being prepared (\(track.state.rawValue))")
            }
            return .ready(packaged, revision: track.revision)
        }
    }

    private func lookup(_ title: TitleRecord?) async throws -> TitleLookup {
        guard let title else { return .unknown }
        guard let packaged = try await library.packagedTitle(title) else {
            return .notReady(reason: title.error ?? "the title is being prepared (\(title.state.rawValue))")
        }
        let extras = try await extras.extras(
            of: packaged, id: title.id, revision: title.revision, besideFileAt: title.sourcePath)
        let key = extras.encryption.map { "-\($0.key.id)" } ?? ""
        return .ready(packaged, revision: title.revision + key, extras: extras)
    }

    func trackFile(id: String) async throws -> TrackFile? {
        guard let track = try await catalogue.track(id: id) else { return nil }
        return TrackFile(
            path: track.sourcePath, contentType: Self.contentType(ofFile: track.file), etag: "\"\(track.revision)\"")
    }

    static func contentType(ofFile name: String) -> String {
        switch name.split(separator: ".").last?.lowercased() {
        case "mp3": "audio/mpeg"
        case "m4a", "m4b": "audio/mp4"
        case "aac": "audio/aac"
        case "ogg", "oga", "opus": "audio/ogg"
        case "flac": "audio/flac"
        case "wav", "wave": "audio/wav"
        case "aif", "aiff": "audio/aiff"
        default: "application/octet-stream"
        }
    }
}

/// For readers by RTSP: the same addresses without the playlist's name behind them.
extension LibraryTitleSource: ReadableTitles {
    func title(path: String) async throws -> ReadableTitle? {
        guard case .title(let address)? = MediaRequest(target: "\(path)/playlist.m3u8")?.source,
            case .ready(let packaged, _, let extras) = try await packagedTitle(at: address),
            // RTSP would send it in the clear.
            extras.encryption == nil
        else { return nil }
        return ReadableTitle(packaged: packaged, name: packaged.name ?? String(path.split(separator: "/").last ?? ""))
    }
}
