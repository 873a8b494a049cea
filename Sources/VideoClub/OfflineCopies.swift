package import Accounts
import Catalogue
package import Crypto
import Database
import MediaCore
package import OfflineCopyFormat
import Synchronization

/// Copies of rented titles that members keep on their devices.
///
/// A copy is encrypted with a key of its own, which is derived and never stored, and its bytes are made when they are
/// asked for. What is computed once, and kept in the database, are the digests of its chunks: the pass that does it
/// runs in ``run(onFailure:)``, a few at a time.
package final class OfflineCopies: Sendable {
    package let club: VideoClub
    private let key: SymmetricKey
    private let source: any CopySource
    private let requests: AsyncStream<Preparation>
    private let request: AsyncStream<Preparation>.Continuation
    private let pending = Mutex([OpaqueID: PendingState]())

    private struct Preparation: Sendable {
        var copy: OfflineCopy
        var title: String
    }

    private enum PendingState: Sendable {
        case running(progress: Double)
        /// It is told once, and the next request tries again.
        case failed(Refusal)
    }

    /// The preparations at a time: each keeps a processor busy.
    static let preparationCount = 2
    /// Limit of the preparations that wait; further requests are told to come again.
    static let queueCount = 100
    private static let purpose = "antena offline copy key 1"

    /// - Parameters:
    ///   - club: rentals and devices.
    ///   - key: 256 bits that are not in the database, the same on all servers that share it. If it changes, copies
    ///     have to be downloaded again.
    ///   - source: makes the bytes.
    package init(club: VideoClub, key: SymmetricKey, source: any CopySource) {
        (self.club, self.key, self.source) = (club, key, source)
        (requests, request) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.queueCount))
    }

    // MARK: Entitlement

    /// A member's rental, for which copies may be downloaded: its time has not ended. It need not have begun.
    ///
    /// - Throws: `Refusal` with `rentalNeeded`, also for somebody else's rental, or `rentalEnded`.
    package func rental(_ id: OpaqueID, of user: UserID) async throws -> Rental {
        let now = club.wallClock.now()
        return try await club.database.read { db in
            guard let rental = try RentalRows.rental(id, db), rental.user == user else {
                throw Refusal(.rentalNeeded, "you have no such rental; rent the title first")
            }
            guard [.rented, .activated].contains(rental.state(at: now)), try Self.hasTitle(rental, db) else {
                throw Refusal(.rentalEnded, "the rental has ended, so its offline copies can no longer be used")
            }
            return rental
        }
    }

    /// Whether the rental's title is still the one that was rented: another one may have got its address.
    private static func hasTitle(_ rental: Rental, _ db: any SQLConnection) throws -> Bool {
        try TitleRows.title(number: rental.titleNumber, db)?.id == rental.titleID
    }

    /// The copy that an address names, for a request without any other credential.
    ///
    /// - Parameters:
    ///   - id: the copy.
    ///   - rental: the rental that the address names.
    ///   - device: the device that the address was given to; `nil` for a member.
    /// - Throws: `Refusal` with `rentalEnded`, `copyReplaced`, or `deviceRemoved`.
    package func downloadedCopy(
        _ id: OpaqueID, rental: OpaqueID, device: OpaqueID?
    ) async throws -> (copy: OfflineCopy, rental: Rental) {
        let now = club.wallClock.now()
        return try await club.database.read { db in
            guard let rental = try RentalRows.rental(rental, db) else { throw Refusal.copyReplaced }
            guard let user = rental.user, [.rented, .activated].contains(rental.state(at: now)),
                try Self.hasTitle(rental, db),
                try AccountReferences.isUsable(user, at: now, db)
            else { throw Refusal(.rentalEnded, "the rental has ended, so its offline copies can no longer be used") }
            if let device, try !DeviceRows.exists(device, of: user, at: now, db) {
                throw Refusal(.deviceRemoved, "the device was removed from the account, and its downloads ended")
            }
            guard let copy = try CopyRows.copy(id, db), copy.preparedAt != nil, copy.rental == rental.id else {
                throw Refusal.copyReplaced
            }
            return (copy, rental)
        }
    }

    // MARK: Copies

    /// The renditions that can be copied, with how far the copies of each are.
    ///
    /// - Parameters:
    ///   - rental: the rental.
    ///   - device: whose copies count; `nil` for all devices.
    package func renditions(
        for rental: Rental, device: OpaqueID?
    ) async throws -> [(rendition: CopyRendition, state: CopyDownloadState)] {
        let found = try await source.renditions(ofTitle: rental.titleID)
        let states = try await club.database.read { db in try CopyRows.states(of: rental.id, on: device, db) }
        return found.map { ($0, states[$0.name] ?? .none) }
    }

    /// The copy of a rendition, which is prepared if it is not. A copy whose title has changed is made again.
    ///
    /// - Parameters:
    ///   - rental: a rental that has not ended.
    ///   - rendition: the name of a rendition.
    ///   - device: the device that begins to download it; `nil` for none.
    /// - Throws: `Refusal` with `notFound`, `unavailable` or `busy`.
    package func copy(for rental: Rental, rendition: String, device: OpaqueID?) async throws -> CopyAnswer {
        let contents = try await source.contents(ofTitle: rental.titleID, rendition: rendition)
        guard ChunkPlan(byteCount: contents.byteCount) != nil else {
            throw Refusal(
                .unavailable, "the title is too large for an offline copy (64 GiB); choose another rendition")
        }
        let now = club.wallClock.now()
        let copy = try await club.write { db in
            var copy = try CopyRows.copy(of: rental.id, rendition: rendition, db)
            if let old = copy, old.revision != contents.revision {
                try CopyRows.delete(old.id, db)
                copy = nil
            }
            let known: OfflineCopy
            if let copy {
                known = copy
            } else {
                known = OfflineCopy(
                    id: OpaqueID(), rental: rental.id, rendition: rendition, revision: contents.revision,
                    salt: SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }, byteCount: contents.byteCount,
                    chunkByteCount: ChunkPlan.standardChunkByteCount)
                try CopyRows.insert(known, db)
            }
            if let device, known.preparedAt != nil { try CopyRows.noteBegin(of: known.id, on: device, at: now, db) }
            return known
        }
        guard copy.preparedAt == nil else { return .ready(copy) }
        return .preparing(progress: try progress(of: Preparation(copy: copy, title: rental.titleID)))
    }

    /// The digests of a copy's chunks.
    ///
    /// - Throws: `Refusal` with `copyReplaced`.
    package func chunkDigests(of copy: OfflineCopy) async throws -> [[UInt8]] {
        let all = try await club.database.read { db in try CopyRows.chunkDigests(of: copy.id, db) }
        guard let all, all.count.isMultiple(of: SHA256Digest.byteCount) else { throw Refusal.copyReplaced }
        return stride(from: 0, to: all.count, by: SHA256Digest.byteCount).map {
            Array(all[$0..<$0 + SHA256Digest.byteCount])
        }
    }

    /// The digest of the chunk that is exactly a range; `nil` for every other range.
    package func chunkDigest(of copy: OfflineCopy, range: Range<Int64>) async throws -> [UInt8]? {
        guard let plan = ChunkPlan(byteCount: copy.byteCount, chunkByteCount: copy.chunkByteCount),
            plan.chunks(in: range).count == 1, let index = plan.chunks(in: range).first,
            plan.range(of: index) == range
        else { return nil }
        return try await club.database.read { db in try CopyRows.chunkDigest(of: copy.id, index: index, db) }
    }

    /// The encrypted bytes of a copy.
    ///
    /// - Throws: `Refusal` with `copyReplaced` if the title is another one now, or `unavailable`.
    package func bytes(of copy: OfflineCopy, title: String) async throws -> EncryptedCopy {
        let contents: any CopyContents
        do {
            contents = try await source.contents(ofTitle: title, rendition: copy.rendition)
        } catch let error as Refusal where error.code == .notFound {
            throw Refusal.copyReplaced
        }
        guard contents.revision == copy.revision, contents.byteCount == copy.byteCount else {
            throw Refusal.copyReplaced
        }
        return EncryptedCopy(contents: contents, cipher: CopyCipher(key: key(of: copy)))
    }

    // MARK: Devices

    /// The key of a copy, wrapped for a device.
    ///
    /// - Throws: `Refusal` with `rentalNotActivated`, `rentalEnded`, `notFound` or `invalidField`.
    package func wrappedKey(
        for rental: Rental, rendition: String, device: ClubDevice
    ) async throws -> (copy: OfflineCopy, wrap: CopyKeyWrap) {
        switch rental.state(at: club.wallClock.now()) {
        case .activated: break
        case .rented:
            throw Refusal(
                .rentalNotActivated, "the rental is not activated; activate it to get the copy's key")
        case .expired, .refunded: throw Refusal(.rentalEnded, "the rental has ended")
        }
        let found = try await club.database.read { db in
            try CopyRows.copy(of: rental.id, rendition: rendition, db)
        }
        guard let found else { throw Refusal(.notFound, "there is no such copy; ask for its manifest first") }
        do {
            return (
                found,
                try CopyKeyWrap(key(of: found), for: device.publicKey, copy: found.id.text, device: device.id.text)
            )
        } catch {
            throw Refusal(.invalidField, "the device's public key cannot be used; register the device again")
        }
    }

    /// Notes how far a device is with a copy.
    ///
    /// - Throws: `Refusal` with `notFound`.
    package func note(
        _ state: CopyDownloadState, for rental: Rental, rendition: String, device: OpaqueID
    ) async throws {
        let now = club.wallClock.now()
        try await club.database.write { db in
            guard let copy = try CopyRows.copy(of: rental.id, rendition: rendition, db) else {
                throw Refusal(.notFound, "there is no such copy; ask for its manifest first")
            }
            guard state != .none else { return try CopyRows.forgetDownload(of: copy.id, on: device, db) }
            try CopyRows.note(state, of: copy.id, on: device, at: now, db)
        }
    }

    private func key(of copy: OfflineCopy) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key, salt: copy.salt, info: Array("\(Self.purpose)\n\(copy.id.text)".utf8),
            outputByteCount: CopyCipher.keyByteCount)
    }

    // MARK: Preparation

    /// Has a copy prepared, unless it is being prepared.
    ///
    /// - Throws: `Refusal`: `busy`, or the reason why it has failed.
    private func progress(of preparation: Preparation) throws(Refusal) -> Double {
        let id = preparation.copy.id
        let known = pending.withLock { pending -> PendingState? in
            let known = pending[id]
            if case .running? = known { return known }
            pending[id] = known == nil ? .running(progress: 0) : nil
            return known
        }
        switch known {
        case .running(let progress): return progress
        case .failed(let error): throw error
        case nil: break
        }
        guard case .enqueued = request.yield(preparation) else {
            pending.withLock { $0[id] = nil }
            throw Refusal(.busy, "too many copies are being prepared; try again")
        }
        return 0
    }

    /// Prepares copies until the task is cancelled.
    ///
    /// - Parameter onFailure: called with a copy's ID and the reason why it could not be prepared.
    package func run(onFailure: @escaping @Sendable (OpaqueID, any Error) -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            var count = 0
            for await preparation in requests {
                if count >= Self.preparationCount {
                    await group.next()
                    count -= 1
                }
                group.addTask { [self] in await perform(preparation, onFailure) }
                count += 1
            }
            group.cancelAll()
        }
    }

    private func perform(_ preparation: Preparation, _ onFailure: (OpaqueID, any Error) -> Void) async {
        let id = preparation.copy.id
        do {
            try await prepare(preparation)
            pending.withLock { $0[id] = nil }
        } catch {
            let reason =
                error as? Refusal ?? Refusal(.unavailable, "the copy could not be prepared; try again")
            pending.withLock { $0[id] = error is CancellationError ? nil : .failed(reason) }
            if !(error is CancellationError) { onFailure(id, error) }
        }
    }

    private func prepare(_ preparation: Preparation) async throws {
        let copy = preparation.copy
        let bytes = try await bytes(of: copy, title: preparation.title)
        guard let plan = ChunkPlan(byteCount: copy.byteCount, chunkByteCount: copy.chunkByteCount) else {
            throw Refusal.copyReplaced
        }
        var whole = SHA256()
        var chunks: [UInt8] = []
        chunks.reserveCapacity(plan.count * SHA256Digest.byteCount)
        for index in 0..<plan.count {
            try Task.checkCancellation()
            let chunk = try await bytes.read(plan.range(of: index))
            whole.update(data: chunk)
            chunks += SHA256.hash(data: chunk)
            pending.withLock { $0[copy.id] = .running(progress: Double(index + 1) / Double(plan.count)) }
        }
        let (digest, digests, now) = (Array(whole.finalize()), chunks, club.wallClock.now())
        try await club.database.write { db in
            try CopyRows.setDigests(of: copy.id, digest, chunks: digests, at: now, db)
        }
    }
}

extension Refusal {
    static let copyReplaced = Refusal(
        .copyReplaced, "the title has changed, and this copy of it is gone; ask for its manifest, and download it again"
    )
}
