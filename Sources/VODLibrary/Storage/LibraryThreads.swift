package import NIOPosix

/// The threads on which the library waits for disks, with a pool for each purpose, so that a copy of 200 GB holds up no
/// viewer.
package struct LibraryThreads: Sendable {
    /// Opens titles for viewers, and checks whether the files of open titles have been replaced.
    package var opening: NIOThreadPool
    /// Scans folders; reads, writes and deletes what the library makes.
    package var library: NIOThreadPool
    /// Writes uploads and imports, piece by piece.
    package var uploads: NIOThreadPool
    /// Reads the indexes of titles in the media store, and waits for the network meanwhile.
    package var fetching: NIOThreadPool
    /// Does work of minutes: flushes gigabytes to the disk (`fsync`), copies local files.
    package var long: NIOThreadPool

    package init(
        opening: NIOThreadPool, fetching: NIOThreadPool, library: NIOThreadPool, uploads: NIOThreadPool,
        long: NIOThreadPool
    ) {
        self.opening = opening
        self.fetching = fetching
        self.library = library
        self.uploads = uploads
        self.long = long
    }

    /// Uses one pool for everything: for commands that end after their work, and for tests.
    package init(shared pool: NIOThreadPool) {
        self.init(opening: pool, fetching: pool, library: pool, uploads: pool, long: pool)
    }
}
