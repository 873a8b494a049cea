import APIContract
import AsyncHTTPClient
import Crypto
import Foundation
package import JSONDocument
package import MediaCore
import NIOHTTP1
package import NIOPosix
import OfflineCopyFormat

/// The offline copies of this device: registers it, downloads, plays, and deletes what is over.
///
/// Downloading, going on and playing need the device's own credential only. Calls throw ``DownloadError`` with a
/// sentence for the user.
package struct OfflineLibrary: Sendable {
    package let folder: OfflineFolder
    let wallClock: WallClock
    let retry: RetryPolicy
    let threadPool: NIOThreadPool

    /// The time between two sweeps.
    package static let sweepInterval = Duration.seconds(60)
    package static let defaultConnectionCount = 4
    package static let maximumConnectionCount = CopyDownload.maximumConnectionCount
    /// The time that a server may take to prepare a copy; it reads as fast as its disk.
    private static let maximumPreparationCount = 3_600

    /// - Parameters:
    ///   - folder: where everything is kept.
    ///   - wallClock: the machine's clock.
    ///   - retry: how downloads go on after interruptions.
    ///   - threadPool: reads and writes files.
    package init(
        folder: OfflineFolder, wallClock: WallClock = .system, retry: RetryPolicy = RetryPolicy(),
        threadPool: NIOThreadPool = .singleton
    ) {
        (self.folder, self.wallClock, self.retry, self.threadPool) = (folder, wallClock, retry, threadPool)
    }

    func blocking<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await threadPool.runIfActive { try body() }
    }

    /// Runs `body` with the server of the device.
    func withServer<Result: Sendable>(
        connectionCount: Int = 1, _ body: (CopyServer, DeviceIdentity) async throws -> Result
    ) async throws -> Result {
        guard let device = try await blocking({ try folder.device() }) else {
            throw DownloadError(
                .notFound, "this machine is not registered as a device; register it with \"antena device add NAME\"")
        }
        return try await CopyServer.with(connectionCount: connectionCount) { http in
            try await body(CopyServer(base: device.server, credential: device.secret, http: http), device)
        }
    }

    // MARK: Devices

    private static let devicesPath = "/api/v1/me/devices"

    /// Makes this machine a device of a member.
    ///
    /// - Parameters:
    ///   - name: what the list of devices calls it.
    ///   - server: the server, such as `https://tv.example.org`.
    ///   - token: an API token of the member, which is not kept.
    package func addDevice(_ name: String, server: String, token: String) async throws -> DeviceIdentity {
        let server = try CopyServer.checked(server)
        if let known = try await blocking({ try folder.device() }) {
            throw DownloadError(
                .busy,
                "this machine is already registered as \(known.name) at \(known.server); remove that device first")
        }
        let key = Curve25519.KeyAgreement.PrivateKey()
        return try await CopyServer.with(connectionCount: 1) { http in
            let answer = try await CopyServer(base: server, credential: token, http: http).send(
                .POST, Self.devicesPath,
                .object([
                    ("name", .string(name)),
                    ("publicKey", .string(key.publicKey.rawRepresentation.base64EncodedString())),
                ]))
            guard let id = answer.node?["id"]?.string, let secret = answer.node?["secret"]?.string else {
                throw DownloadError(.refused, "\(server) does not answer like an Antena server")
            }
            let device = DeviceIdentity(id: id, name: name, server: server, secret: secret, privateKey: key)
            try await blocking { try folder.setDevice(device) }
            return device
        }
    }

    /// The devices of a member, in the API's representation.
    package func devices(server: String, token: String) async throws -> [JSONNode] {
        let server = try CopyServer.checked(server)
        return try await CopyServer.with(connectionCount: 1) { http in
            try await CopyServer(base: server, credential: token, http: http).send(.GET, Self.devicesPath)
                .node?["items"]?.elements ?? []
        }
    }

    /// Removes a device of a member. If it is this machine, its copies go, too.
    package func removeDevice(_ id: String, server: String, token: String) async throws {
        let server = try CopyServer.checked(server)
        try await CopyServer.with(connectionCount: 1) { http in
            _ = try await CopyServer(base: server, credential: token, http: http).send(
                .DELETE, "\(Self.devicesPath)/\(PathEncoding.component(id))")
        }
        try await blocking {
            guard try folder.device()?.id == id else { return }
            for copy in try folder.copies() { try copy.delete() }
            try folder.removeDevice()
        }
    }

    // MARK: Downloads

    /// The downloads that a rental offers, in the API's representation.
    package func offer(rental: String) async throws -> JSONNode {
        try await withServer { server, _ in try await offer(rental, server) }
    }

    private func offer(_ rental: String, _ server: CopyServer) async throws -> JSONNode {
        let answer = try await server.send(.GET, CopyServer.downloadPath(rental))
        if let date = answer.date { _ = try await blocking { try folder.time(wallClock, heard: date) } }
        guard let node = answer.node, node["renditions"]?.elements?.isEmpty == false else {
            throw DownloadError(.refused, "\(server.base) has nothing to download for this rental")
        }
        return node
    }

    /// Gets the manifest of a copy, and makes its folder. Nothing of the copy itself is fetched.
    ///
    /// - Parameters:
    ///   - rental: the rental.
    ///   - rendition: the rendition; `nil` for the one with the highest bandwidth.
    ///   - report: called while the server prepares the copy.
    package func add(
        rental: String, rendition: String? = nil, report: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws -> StoredCopy {
        try await withServer { server, _ in try await add(rental, rendition, server, report) }
    }

    private func add(
        _ rental: String, _ rendition: String?, _ server: CopyServer,
        _ report: @Sendable (DownloadProgress) -> Void
    ) async throws -> StoredCopy {
        let name: String
        if let rendition {
            name = rendition
        } else {
            let renditions = try await offer(rental, server)["renditions"]?.elements ?? []
            let best = renditions.max { ($0["bandwidth"]?.integer ?? 0) < ($1["bandwidth"]?.integer ?? 0) }
            name = best?["rendition"]?.string ?? "video"
        }
        let record = try await manifest(rental, name, server, report)
        let copy = try await blocking {
            try folder.makeCopies()
            // What is left of an older version of the title is worth nothing.
            for old in try folder.copies() where old.id != record.manifest.copy {
                guard let known = try? old.record(), known.rental == rental, known.rendition == name else { continue }
                try old.delete()
            }
            let copy = folder.copy(record.manifest.copy)
            try copy.setRecord(record)
            if let rental = record.node["rental"] { try copy.setRental(rental) }
            return copy
        }
        // A copy without a poster plays all the same.
        try? await fetchPoster(of: copy, rental, server)
        return copy
    }

    private func fetchPoster(of copy: StoredCopy, _ rental: String, _ server: CopyServer) async throws {
        let poster = try await server.file(
            CopyServer.posterPath(rental), maximumByteCount: StoredCopy.maximumPosterByteCount)
        try await blocking { try copy.setPoster(poster) }
    }

    private func manifest(
        _ rental: String, _ rendition: String, _ server: CopyServer, _ report: (DownloadProgress) -> Void
    ) async throws -> CopyRecord {
        for attempt in 1... {
            let answer = try await server.send(.GET, CopyServer.manifestPath(rental, rendition))
            if let date = answer.date { _ = try await blocking { try folder.time(wallClock, heard: date) } }
            guard answer.status == 202 else {
                guard let record = answer.node.flatMap({ CopyRecord($0, server: server.base) }) else {
                    throw DownloadError(.refused, "\(server.base) does not answer with a manifest")
                }
                return record
            }
            guard attempt < Self.maximumPreparationCount else { break }
            let byteCount = Int64(answer.node?["byteCount"]?.integer ?? 0)
            let fraction = min(max(answer.node?["progress"]?.number ?? 0, 0), 1)
            report(
                DownloadProgress(
                    copy: "", name: UntrustedText.escaped(answer.node?["name"]?.string ?? rental), phase: .preparing,
                    byteCount: byteCount, receivedByteCount: Int64(Double(byteCount) * fraction)))
            try await retry.sleep(answer.retryAfter ?? .seconds(1))
        }
        throw DownloadError(.unreachable, "the server takes too long to prepare the copy; try again later")
    }

    /// Downloads a copy, or what is missing of it. A copy whose rental has ended is deleted; one whose title has
    /// changed is begun again.
    ///
    /// - Parameters:
    ///   - copy: a copy that was added.
    ///   - connectionCount: 1 to ``maximumConnectionCount``.
    ///   - report: called whenever bytes arrive.
    /// - Returns: whether it is complete; it is not if somebody has paused it.
    @discardableResult
    package func download(
        _ copy: StoredCopy, connectionCount: Int = defaultConnectionCount,
        report: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws -> Bool {
        try await transfer(copy, connectionCount: connectionCount, report: report).isComplete
    }

    func transfer(
        _ copy: StoredCopy, connectionCount: Int = defaultConnectionCount,
        report: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws -> CopyDownload.Result {
        let record = try await blocking { try copy.record() }
        return try await withServer(connectionCount: connectionCount) { server, device in
            let result: CopyDownload.Result
            var current = copy
            do {
                result = try await run(copy, server, connectionCount, report)
            } catch let error as DownloadError where error.code == .copyReplaced {
                current = try await add(record.rental, record.rendition, server, report)
                guard current != copy else { throw error }
                result = try await run(current, server, connectionCount, report)
            } catch let error as DownloadError where error.code == .rentalEnded {
                try await blocking { try copy.delete() }
                throw error
            }
            // The key may not be released yet, and the server may be away again.
            if result.isComplete { try? await finish(current, record, server, device) }
            return result
        }
    }

    private func run(
        _ copy: StoredCopy, _ server: CopyServer, _ connectionCount: Int,
        _ report: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws -> CopyDownload.Result {
        try await CopyDownload(
            copy: copy, server: server, connectionCount: connectionCount, retry: retry, threadPool: threadPool,
            report: report
        ).run()
    }

    /// Tells the server that the copy is here, and gets its key if that is released.
    private func finish(
        _ copy: StoredCopy, _ record: CopyRecord, _ server: CopyServer, _ device: DeviceIdentity
    ) async throws {
        let path = Self.copyPath(record)
        _ = try await server.send(.PUT, "\(path)/state", .object([("state", .string("downloaded"))]))
        _ = try await fetchKey(copy, record, server, device)
    }

    static func copyPath(_ record: CopyRecord) -> String {
        "/api/v1/rentals/\(record.rental)/copies/\(PathEncoding.component(record.rendition))"
    }

    private func fetchKey(
        _ copy: StoredCopy, _ record: CopyRecord, _ server: CopyServer, _ device: DeviceIdentity
    ) async throws -> CopyKeyWrap {
        let answer = try await server.send(.GET, "\(Self.copyPath(record))/key")
        guard let node = answer.node, let wrap = CopyKeyWrap(node), let rental = node["rental"],
            RentalNote(rental) != nil, node["device"]?.string == device.id
        else { throw DownloadError(.refused, "\(server.base) does not answer with a key") }
        guard node["copy"]?.string == copy.id else {
            throw DownloadError(
                .copyReplaced, "the title has changed on the server; go on with \"antena download resume \(copy.id)\"")
        }
        try await blocking {
            try copy.setRental(rental)
            try copy.setWrappedKey(wrap, device: device.id)
            if let date = answer.date { _ = try folder.time(wallClock, heard: date) }
        }
        return wrap
    }

    /// The copy that a user means: by its ID, the beginning of that, or its rental.
    package func copy(_ name: String) async throws -> StoredCopy {
        try await blocking {
            let copies = try folder.copies()
            if let exact = copies.first(where: { $0.id == name }) { return exact }
            let found = copies.filter { $0.id.hasPrefix(name) || (try? $0.record())?.rental == name }
            guard let only = found.first, found.count == 1, !name.isEmpty else {
                throw DownloadError(
                    .notFound,
                    found.isEmpty
                        ? "there is no offline copy \"\(name)\"; \"antena download list\" lists them"
                        : "\"\(name)\" may be \(found.map(\.id).joined(separator: " or "))")
            }
            return only
        }
    }

    // MARK: Playing

    /// Serves a copy as HLS on this machine until the task is cancelled, or the rental ends.
    ///
    /// - Parameters:
    ///   - copy: a copy that was downloaded.
    ///   - onProblem: called with what is found to be wrong with the copy while it is played.
    ///   - onStart: called with the address of the playlist.
    package func play(
        _ copy: StoredCopy, onProblem: @escaping @Sendable (DownloadError) -> Void,
        onStart: @escaping @Sendable (String) async -> Void
    ) async throws {
        let record = try await blocking { try copy.record() }
        try await requireTime(copy, record)
        let (state, device) = try await blocking { (try copy.state().state, try folder.device()) }
        guard state == .downloaded else {
            throw DownloadError(
                .notFound, "\(record.name) is not complete yet; go on with \"antena download resume \(copy.id)\"")
        }
        guard let device else {
            throw DownloadError(
                .notFound, "this machine is not registered as a device any more; the copy cannot be decrypted")
        }
        let wrap = try await key(of: copy, record, device)
        // The key's answer may have brought the end of the rental.
        try await requireTime(copy, record)
        let key: SymmetricKey
        do {
            key = try wrap.key(with: device.privateKey, copy: copy.id, device: device.id)
        } catch {
            throw DownloadError(
                .damaged, "the key of \(record.name) is not for this device; delete the copy, and download it again")
        }
        let reader: CopyReader
        do {
            reader = try await CopyReader(copy, record, key: key, threadPool: threadPool)
        } catch let error as DownloadError where error.code == .damaged {
            onProblem(error)
            throw error
        }
        let player = CopyPlayer(
            reader: reader, record: record,
            isOver: { [folder, wallClock] in
                try copy.note().isOver(at: try folder.time(wallClock).now)
            }, onProblem: onProblem)
        try await player.run(onStart: onStart)
    }

    /// - Throws: ``DownloadError`` if the rental's time is over, or nobody can know because the clock was set back.
    private func requireTime(_ copy: StoredCopy, _ record: CopyRecord) async throws {
        try await blocking {
            let time = try folder.time(wallClock)
            if try copy.note().isOver(at: time.now) {
                try copy.delete()
                throw DownloadError(.rentalEnded, "the rental of \(record.name) has ended; its copy was deleted")
            }
            guard !time.isSetBack else {
                throw DownloadError(
                    .clockSetBack, "the clock of this machine was set back; set it right, and try again")
            }
        }
    }

    private func key(
        of copy: StoredCopy, _ record: CopyRecord, _ device: DeviceIdentity
    ) async throws -> CopyKeyWrap {
        if let known = try await blocking({ try copy.wrappedKey() }), known.device == device.id { return known.wrap }
        return try await withServer { server, device in try await fetchKey(copy, record, server, device) }
    }

    // MARK: What is over

    /// Deletes the copies whose rentals have ended, with keys and details. Of a copy whose file somebody has deleted,
    /// only what refers to it is left to delete.
    ///
    /// - Returns: the names of the deleted copies.
    package func sweep() async throws -> [String] {
        try await blocking {
            let now = try folder.time(wallClock).now
            var names: [String] = []
            for copy in try folder.copies() {
                // A damaged record is shown by the list, and deleted by the user.
                guard let record = try? copy.record(), let note = try? copy.note() else { continue }
                let hasLostBytes = try !copy.hasBytes && copy.chunkMap(count: record.manifest.plan.count).goodCount > 0
                guard note.isOver(at: now) || hasLostBytes else { continue }
                try copy.delete()
                names.append(record.name)
            }
            return names
        }
    }

    /// Asks the server about the rentals of all copies: deletes those that were refunded, and gets the keys of those
    /// that were activated since. A server that does not answer changes nothing.
    ///
    /// - Returns: the names of the deleted copies.
    package func refresh() async throws -> [String] {
        let copies = try await blocking { try folder.copies() }
        guard !copies.isEmpty else { return [] }
        return try await withServer { server, device in
            var names: [String] = []
            for copy in copies {
                guard let record = try? await blocking({ try copy.record() }) else { continue }
                do {
                    let offer = try await offer(record.rental, server)
                    if let rental = offer["rental"], RentalNote(rental) != nil {
                        try await blocking { try copy.setRental(rental) }
                    }
                    let hasKey = try await blocking { try copy.wrappedKey() != nil }
                    if !hasKey { _ = try await fetchKey(copy, record, server, device) }
                } catch let error as DownloadError where error.code == .rentalEnded {
                    try await blocking { try copy.delete() }
                    names.append(record.name)
                } catch is DownloadError {
                    continue
                }
            }
            return names
        }
    }

    /// The copies that are not complete and that nobody has paused.
    package func interrupted() async throws -> [StoredCopy] {
        try await blocking {
            try folder.copies().filter { copy in
                guard !copy.isPaused, let state = try? copy.state().state else { return false }
                return state != .downloaded
            }
        }
    }
}
