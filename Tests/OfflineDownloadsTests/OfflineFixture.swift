import Foundation
import MediaCore
import Synchronization
import TestSupport

@testable import OfflineDownloads

/// A device with a folder of its own, whose clock the test moves and which does not wait between attempts.
final class OfflineFixture: Sendable {
    let directory: TemporaryDirectory
    let folder: OfflineFolder
    let clock = Mutex(WallClockTime(secondsSince1970: 1_800_000_000))
    let server: FakeCopyServer

    init(byteCount: Int = 1 << 20) throws {
        directory = try TemporaryDirectory(label: "offline")
        folder = OfflineFolder(path: "\(directory.path)/offline")
        server = FakeCopyServer(byteCount: byteCount)
    }

    func advance(_ duration: Duration) { clock.withLock { $0 = $0 + duration } }

    /// The library of the device, registered at a server.
    func library(_ address: String) throws -> OfflineLibrary {
        var device = server.device
        device.server = address
        try folder.setDevice(device)
        var retry = RetryPolicy()
        retry.sleep = { _ in try Task.checkCancellation() }
        return OfflineLibrary(
            folder: folder, wallClock: WallClock { [self] in clock.withLock { $0 } }, retry: retry)
    }

    func bytes(_ copy: StoredCopy) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: copy.bytesPath)))
    }

    static func code(_ body: () async throws -> some Any) async -> DownloadError.Code? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? DownloadError)?.code
        }
    }
}
