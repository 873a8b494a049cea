import Foundation
import MediaStorage
import NIOPosix
import Packaging

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Moves files to the store and back.
extension StoredFiles {
    /// The result of moving a file.
    package enum Moving: Sendable, Hashable {
        /// It was moved; its size in bytes.
        case moved(byteCount: Int64)
        /// There is nothing to move: no file on this machine, or an empty one.
        case nothing
    }

    /// Moves a file to the store: it is put, its size and checksum there are compared, and only then is the local file
    /// deleted. Viewers who have it open keep it.
    ///
    /// - Parameter path: a file in one of the library's folders that nothing writes to.
    /// - Throws: `MediaStorageError`, `SQLError`, and ``StoredFilesError`` if the file changed meanwhile. The file is
    ///   still on this machine then.
    package func moveToStore(_ path: String) async throws -> Moving {
        guard let place = places.place(ofPath: path) else {
            throw StoredFilesError(.noSuchFile, "\(path) lies outside the library's folders")
        }
        guard let identity = try await identity(ofLocalFile: path), identity.byteCount > 0 else { return .nothing }
        if let stored = file(at: path), stored.isOf(identity) {
            // A crash came between the note and the deletion.
            guard try await store.head(stored.key)?.byteCount == stored.byteCount else {
                try await delete([path])
                return try await moveToStore(path)
            }
            try await deleteLocalFile(path, of: identity)
            return .moved(byteCount: stored.byteCount)
        }
        let key = ObjectKeys.key(forPlace: place)
        try await rows.begin(key, place: place)
        do {
            let file = try await put(path, identity, as: key, place: place)
            let former = self.file(at: path)
            try await rows.store(file)
            note(file, at: path)
            if let former { await deleteObject(former.key) }
        } catch {
            try? await rows.drop([key])
            await deleteObject(key)
            throw error
        }
        try await deleteLocalFile(path, of: identity)
        return .moved(byteCount: identity.byteCount)
    }

    private func put(
        _ path: String, _ identity: MediaFile.Identity, as key: String, place: String
    ) async throws -> StoredFile {
        let object = try await store.put(fileAt: path, as: key, contentType: ContentTypes.type(ofFile: path))
        let found = try await store.head(key)
        guard let sha256 = object.sha256, let found, found.byteCount == identity.byteCount,
            found.sha256 == nil || found.sha256 == sha256
        else {
            throw StoredFilesError(.corrupted, "\(place) is not in the media store as it was put")
        }
        guard try await self.identity(ofLocalFile: path) == identity else {
            throw StoredFilesError(.changed, "\(place) changed while it was put into the media store")
        }
        return StoredFile(
            place: place, key: key, byteCount: identity.byteCount, modificationTime: identity.modificationTime,
            version: found.version, sha256: sha256)
    }

    /// Brings a file back from the store: it is written beside its place, its checksum is compared, and it gets its
    /// name and its modification time. Then the object is deleted.
    ///
    /// - Throws: `MediaStorageError`, `SQLError`, ``StoredFilesError``. The file is still in the store then.
    package func bringBack(_ path: String) async throws -> Moving {
        guard let file = file(at: path) else { return .nothing }
        if try await identity(ofLocalFile: path) == nil {
            let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
            let folder = String(path[..<slash])
            let temporary = "\(folder)/.\(UUID().uuidString).part"
            do {
                try await threads.runIfActive { try LocalFiles.checkRoom(for: file.byteCount, in: folder) }
                try await download(file, to: temporary)
                try await threads.runIfActive { try LocalFiles.complete(temporary, as: path, file) }
            } catch {
                _ = try? await threads.blocking { unlink(temporary) }
                throw error
            }
        }
        try await delete([path])
        return .moved(byteCount: file.byteCount)
    }

    /// Compares a file in the store with what was put.
    ///
    /// - Parameters:
    ///   - path: the path of the file on this machine.
    ///   - readsContent: whether to read all of it and compare its checksum; otherwise only size and version are
    ///     compared.
    /// - Returns: the number of bytes; `nil` if the file is not in the store.
    /// - Throws: `MediaStorageError`, and ``StoredFilesError`` if it differs.
    package func verify(_ path: String, readsContent: Bool) async throws -> Int64? {
        guard let file = file(at: path) else { return nil }
        guard let object = try await store.head(file.key) else {
            throw StoredFilesError(.corrupted, "\(file.place) is missing in the media store")
        }
        guard object.byteCount == file.byteCount, object.version == file.version else {
            throw StoredFilesError(.corrupted, "\(file.place) was changed in the media store")
        }
        if readsContent {
            try await checkContent(of: file)
        }
        return file.byteCount
    }

    // MARK: Reading all of a file

    /// Writes a file from the store to a new local file, and to the disk.
    func download(_ file: StoredFile, to target: String) async throws {
        do {
            let output = try await threads.blocking { try LocalFiles.create(target) }
            do {
                try await store.download(file.object, to: output, threads: threads)
            } catch {
                _ = try? await threads.blocking { try LocalFile.remove(target) }
                throw error
            }
        } catch let error as MediaStorageError {
            throw StoredFilesError(error, reading: file) ?? error
        }
    }

    /// Reads all of a file and compares its checksum.
    private func checkContent(of file: StoredFile) async throws {
        do {
            try await store.readWhole(file.object) { _, _ in }
        } catch let error as MediaStorageError {
            throw StoredFilesError(error, reading: file) ?? error
        }
    }

    // MARK: Local files

    private func identity(ofLocalFile path: String) async throws -> MediaFile.Identity? {
        try await threads.runIfActive { MediaFile.identity(ofFileAt: path) }
    }

    private func deleteLocalFile(_ path: String, of identity: MediaFile.Identity) async throws {
        try await threads.runIfActive {
            // A file that took the name meanwhile is not the one that was put.
            guard MediaFile.identity(ofFileAt: path) == identity else { return }
            guard unlink(path) == 0 || errno == ENOENT else {
                throw StoredFilesError(
                    .localFile, "\(path) cannot be deleted: \(String(cString: strerror(errno)))")
            }
        }
    }
}

extension StoredFile {
    /// Returns whether a local file is the one that was put.
    fileprivate func isOf(_ local: MediaFile.Identity) -> Bool {
        byteCount == local.byteCount && modificationTime == local.modificationTime
    }

    /// The object of the file, as it was put.
    fileprivate var object: StoredObject {
        StoredObject(key: key, byteCount: byteCount, version: version, sha256: sha256)
    }
}

extension StoredFilesError {
    /// An error of reading all of a file, if it concerns the content or the room for it; `nil` for other errors.
    fileprivate init?(_ error: MediaStorageError, reading file: StoredFile) {
        if error.code == .corrupted {
            self.init(.corrupted, "\(file.place) has another content in the media store than it had here")
        } else if error.systemError == ENOSPC || error.systemError == EDQUOT {
            self.init(.diskFull, error.description)
        } else {
            return nil
        }
    }
}
