import NIOCore
import NIOPosix
import Synchronization
import VODLibrary

/// The threads on which a server waits for disks, a pool for each purpose, so that no work of one kind keeps another
/// waiting. Names are resolved on threads of ``HostResolver``, clips and recordings are written by the archive's queue.
///
/// Threads that wait cost next to nothing; pools that viewers depend on have more of them than the machine has
/// processors, because some may be stuck on a disk that does not answer.
struct ServerThreadPools: Sendable {
    /// Viewers' reads: segments, tracks' own files, images, RTSP readers of titles.
    let reading: NIOThreadPool
    /// Opens titles and their subtitles for viewers.
    let opening: NIOThreadPool
    /// Makes MPEG-TS, which takes the processor and not the disk.
    let muxing: NIOThreadPool
    /// Scans the media folder; reads, writes and deletes what the library makes.
    let library: NIOThreadPool
    /// Writes uploads and imports.
    let uploads: NIOThreadPool
    /// Takes minutes: clips, copies, gigabytes that have to reach the disk.
    let long: NIOThreadPool
    /// Starts live workers, which reads the program from the disk.
    let starting: NIOThreadPool

    init(coreCount: Int) {
        reading = NIOThreadPool(numberOfThreads: max(16, coreCount * 2))
        opening = NIOThreadPool(numberOfThreads: 16)
        muxing = NIOThreadPool(numberOfThreads: max(1, coreCount))
        library = NIOThreadPool(numberOfThreads: 4)
        uploads = NIOThreadPool(numberOfThreads: 4)
        long = NIOThreadPool(numberOfThreads: 4)
        starting = NIOThreadPool(numberOfThreads: 2)
        for (name, pool) in named { pool._start(threadNamePrefix: "\(name)-") }
    }

    var libraryThreads: LibraryThreads {
        LibraryThreads(opening: opening, library: library, uploads: uploads, long: long)
    }

    /// In the order in which they stop: those whose work needs others' first. Linux shows 15 characters of a name.
    private var named: [(name: String, pool: NIOThreadPool)] {
        [
            ("ts", muxing), ("read", reading), ("open", opening), ("long", long), ("upload", uploads),
            ("library", library), ("start", starting),
        ]
    }

    /// Lets work that is going on end, one pool after the other; a disk that does not answer is not waited for.
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

/// A continuation of which two tasks want to be the first.
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
