import Catalogue
import Foundation
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
            guard let packaged = try await openUnlessMoving({ try await library.packagedTrack(track) }) else {
                return .notReady(reason: Self.reason(track.error, track.state))
            }
            return .ready(packaged, revision: track.revision)
        }
    }

    private func lookup(_ title: TitleRecord?) async throws -> TitleLookup {
        guard let title else { return .unknown }
        guard let packaged = try await openUnlessMoving({ try await library.packagedTitle(title) }) else {
            return .notReady(reason: Self.reason(title.error, title.state))
        }
        let extras: TitleExtras
        do {
            extras = try await self.extras.extras(
                of: packaged, id: title.id, revision: title.revision, besideFileAt: title.sourcePath)
        } catch is TitleKeyError {
            // Never in the clear. Where the key lies is for operators, who find it in the log and in the status.
            return .notReady(reason: "the title is encrypted, and its key cannot be read")
        }
        let key = extras.encryption.map { "-\($0.key.id)" } ?? ""
        return .ready(packaged, revision: title.revision + key, extras: extras)
    }

    private static func reason(_ error: String?, _ state: TitleState) -> String {
        if state == .ready { return "its file was moved or removed a moment ago; try again" }
        return error ?? "it is being prepared (\(state.rawValue))"
    }

    /// - Returns: `nil` for a file that is not where it was, until the library has found out whether it has moved.
    private func openUnlessMoving(_ open: () async throws -> PackagedTitle?) async throws -> PackagedTitle? {
        do {
            return try await open()
        } catch let error as MediaFileError where error.errno == ENOENT {
            return nil
        }
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
