package import NIOPosix

/// The threads on which the server waits for the disk while it runs workers.
package struct WorkerThreads: Sendable {
    /// Makes and removes the jobs' folders.
    var folders: NIOThreadPool
    /// Flushes finished files of gigabytes to the disk (`fsync`).
    var flushing: NIOThreadPool

    package init(folders: NIOThreadPool, flushing: NIOThreadPool) {
        self.folders = folders
        self.flushing = flushing
    }

    /// Uses one pool for everything: for commands that end after their work, and for tests.
    package init(shared pool: NIOThreadPool) { self.init(folders: pool, flushing: pool) }
}
