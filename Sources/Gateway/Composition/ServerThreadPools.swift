import NIOCore
import NIOPosix
import Synchronization
import VODLibrary

/// The thread pools on which the server waits for disks, one per purpose, so that different kinds of work do not delay
/// each other. Host names are resolved on threads of `HostResolver`; clips and recordings are written on the
/// archive's queue.
///
/// Waiting threads cost almost nothing. Pools that viewers depend on have more threads than the machine has processors,
/// because some may be stuck on an unresponsive disk.
struct ServerThreadPools: Sendable {
    /// Reads for viewers: segments, track files, images, and titles for RTSP readers.
    let reading: NIOThreadPool
    /// Opens titles and their subtitles for viewers.
    let opening: NIOThreadPool
    /// Reads the indexes of titles in the media store, and waits for the network meanwhile; `nil` for a server without
    /// a media store.
    let fetching: NIOThreadPool?
    /// Reads and writes files that go to the media store or come from it; `nil` for a server without a media store.
    let storing: NIOThreadPool?
    /// Muxes MPEG-TS, which is bound by the processor, not by the disk.
    let muxing: NIOThreadPool
    /// Scans the media folder; reads, writes and deletes the library's derived files.
    let library: NIOThreadPool
    /// Writes uploads and imports.
    let uploads: NIOThreadPool
    /// Runs work that takes minutes: clips, copies, and flushing gigabytes to disk.
    let long: NIOThreadPool
    /// Computes password hashes: 32 MiB and a tenth of a second each, so only two at once.
    let hashing: NIOThreadPool
    /// Starts live workers, which requires reading the program from disk.
    let starting: NIOThreadPool

    /// Starts the threads.
    ///
    /// - Parameters:
    ///   - coreCount: the number of the machine's processors.
    ///   - hasMediaStore: whether files of the library may lie in a media store.
    init(coreCount: Int, hasMediaStore: Bool = false) {
        reading = NIOThreadPool(numberOfThreads: max(16, coreCount * 2))
        opening = NIOThreadPool(numberOfThreads: 16)
        fetching = hasMediaStore ? NIOThreadPool(numberOfThreads: 8) : nil
        storing = hasMediaStore ? NIOThreadPool(numberOfThreads: 4) : nil
        muxing = NIOThreadPool(numberOfThreads: max(1, coreCount))
        library = NIOThreadPool(numberOfThreads: 4)
        uploads = NIOThreadPool(numberOfThreads: 4)
        long = NIOThreadPool(numberOfThreads: 4)
        hashing = NIOThreadPool(numberOfThreads: 2)
        starting = NIOThreadPool(numberOfThreads: 2)
        for (name, pool) in named { pool._start(threadNamePrefix: "\(name)-") }
    }

    var libraryThreads: LibraryThreads {
        // Without a media store, nothing is fetched.
        LibraryThreads(
            opening: opening, fetching: fetching ?? opening, library: library, uploads: uploads, long: long)
    }

    /// The pools in the order in which they stop; a pool whose work needs others stops first. Linux shows 15 characters
    /// of a thread's name.
    private var named: [(name: String, pool: NIOThreadPool)] {
        let pools: [(String, NIOThreadPool?)] = [
            ("ts", muxing), ("read", reading), ("open", opening), ("fetch", fetching), ("store", storing),
            ("long", long), ("upload", uploads), ("library", library), ("start", starting),
            ("hash", hashing),
        ]
        return pools.compactMap { name, pool in pool.map { (name, $0) } }
    }

    /// Shuts the pools down one after the other and lets running work finish; does not wait for an unresponsive disk.
    func shutDown(within limit: Duration = .seconds(1)) async {
        let stopping = Task { for (_, pool) in named { try? await pool.shutdownGracefully() } }
        await withCheckedContinuation { continuation in
            let once = OnceContinuation(continuation)
            let waiting = Task {
                _ = await stopping.value
                once.resume()
            }
            Task {
                try? await Task.sleep(for: limit)
                waiting.cancel()
                once.resume()
            }
        }
    }
}

/// A continuation that two tasks may resume; the first one wins.
private final class OnceContinuation: Sendable {
    private let continuation: Mutex<CheckedContinuation<Void, Never>?>

    init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = Mutex(continuation) }

    func resume() {
        continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }?.resume()
    }
}
