import Catalogue
import Database
import Foundation
import HLSDelivery
import LibraryStorage
import MediaCore
import MediaStorage
import MediaWorker
import Packaging
import RTSPServer
import VODLibrary

/// Finds titles and tracks for the delivery handler: the catalogue resolves the name, the library opens the file.
struct LibraryTitleSource: PackagedTitleSource {
    let catalogue: Catalogue
    let library: VODLibrary
    let extras: LibraryTitleExtras

    func packagedTitle(at address: TitleAddress) async throws -> TitleLookup {
        try await Self.asking { try await found(at: address) }
    }

    /// Calls the catalogue.
    ///
    /// - Throws: `TitlesUnavailable` if its database does not answer.
    private static func asking<Result>(_ call: () async throws -> Result) async throws -> Result {
        do {
            return try await call()
        } catch let error as SQLError where error.code == .unavailable {
            throw TitlesUnavailable()
        }
    }

    private func found(at address: TitleAddress) async throws -> TitleLookup {
        switch address {
        case .title(let id):
            return try await lookup(try await catalogue.title(id: id.text))
        case .titleFile(let name):
            return try await lookup(try await catalogue.title(file: name.text))
        case .track(let id):
            guard let track = try await catalogue.track(id: id.text) else { return .unknown }
            switch try await open({ try await library.packagedTrack(track) }) {
            case .opened(let packaged): return .ready(packaged, revision: track.revision)
            case .absent: return .notReady(reason: Self.reason(track.error, track.state))
            case .away: return Self.storeIsAway
            }
        }
    }

    private func lookup(_ title: TitleRecord?) async throws -> TitleLookup {
        guard let title else { return .unknown }
        let packaged: PackagedTitle
        switch try await open({ try await library.packagedTitle(title) }) {
        case .opened(let title): packaged = title
        case .absent: return .notReady(reason: Self.reason(title.error, title.state))
        case .away: return Self.storeIsAway
        }
        let extras: TitleExtras
        do {
            extras = try await self.extras.extras(
                of: packaged, id: title.id, revision: title.revision, besideFileAt: title.sourcePath,
                storyboard: title.storyboardFile(named: Storyboard.fileName))
        } catch is TitleKeyError {
            // An encrypted title is never sent in the clear. The key's path is for operators only, who find it in the
            // log and in the status.
            return .notReady(reason: "the title is encrypted, and its key cannot be read")
        }
        let key = extras.encryption.map { "-\($0.keyID)" } ?? ""
        return .ready(packaged, revision: title.revision + key, extras: extras)
    }

    private static func reason(_ error: String?, _ state: TitleState) -> String {
        if state == .ready { return "the file has just been moved or removed; try again" }
        return error ?? "the title is being prepared (\(state.rawValue))"
    }

    private static let storeIsAway = TitleLookup.notReady(reason: "the media store does not answer")

    private enum Opening {
        case opened(PackagedTitle)
        /// It is not ready, or its file is not in its place until the library has found out whether it was moved.
        case absent
        /// Its file is in the media store, which does not answer.
        case away
    }

    private func open(_ open: () async throws -> PackagedTitle?) async throws -> Opening {
        do {
            return try await open().map { .opened($0) } ?? .absent
        } catch let error as MediaFileError where error.errno == ENOENT {
            return .absent
        } catch let error as MediaFileError where error.isRemote {
            return .away
        } catch let error as MediaStorageError where error.isTemporary {
            return .away
        }
    }

    func trackFile(id: String) async throws -> TrackFile? {
        guard let track = try await Self.asking({ try await catalogue.track(id: id) }),
            let media = try await library.trackFile(track)
        else { return nil }
        return TrackFile(
            media: media, contentType: ContentTypes.type(ofFile: track.file), etag: "\"\(track.revision)\"")
    }
}

/// Titles for RTSP readers, at the same paths without the playlist's name.
extension LibraryTitleSource: PlayableTitles {
    func title(path: String) async throws -> PlayableTitle? {
        guard let address = TitleAddress(path: path) else { return nil }
        do {
            guard case .ready(let packaged, _, let extras) = try await packagedTitle(at: address),
                // RTSP would send the title unencrypted.
                extras.encryption == nil
            else { return nil }
            let name = packaged.name ?? String(path.split(separator: "/").last ?? "")
            return PlayableTitle(packaged: packaged, name: name)
        } catch is TitlesUnavailable {
            throw PlayableTitlesUnavailable()
        }
    }
}
