import CAntenaSystem

/// The library's folders and limits.
package struct VODLibraryConfiguration: Sendable {
    /// The media folder, which holds `vod` and `audio`.
    package var mediaDirectory: String
    /// The data folder; the library writes nothing outside of it.
    package var dataDirectory: String
    /// The folder of channels' recordings, which are titles outside the media folder; `nil` for none.
    package var recordingsDirectory: String?
    /// Path of the program that is started for each file that libav has to open.
    package var workerExecutable: String
    /// Limit on conversions at the same time. Each may use every core.
    package var maximumConcurrentJobCount: Int
    /// The ladder that is made of every title.
    package var ladder: LadderPolicy
    /// Number of cores that ladders may use together; by default, as many as this process may use.
    package var ladderCoreCount: Int
    /// Interval between two scans of the media folder.
    package var scanInterval: Duration
    /// Limit on the memory for the indexes of open titles; a sample takes 21 bytes.
    package var maximumIndexCacheByteCount: Int
    /// Limit on open titles. Each holds a file descriptor, of which a process has 1,024 by default, and viewers need
    /// most of them.
    package var maximumOpenTitleCount: Int
    /// Returns whether another part of the server stores a choice for the title with that ID. Such a title is not
    /// removed in favour of its original.
    package var hasChoice: @Sendable (String) -> Bool = { _ in false }

    package init(
        mediaDirectory: String, dataDirectory: String, recordingsDirectory: String? = nil, workerExecutable: String,
        maximumConcurrentJobCount: Int = 2, ladder: LadderPolicy = LadderPolicy(),
        ladderCoreCount: Int? = nil,
        scanInterval: Duration = .seconds(2), maximumIndexCacheByteCount: Int = 256 << 20,
        maximumOpenTitleCount: Int = 128
    ) {
        self.mediaDirectory = mediaDirectory
        self.dataDirectory = dataDirectory
        self.recordingsDirectory = recordingsDirectory
        self.workerExecutable = workerExecutable
        self.maximumConcurrentJobCount = maximumConcurrentJobCount
        self.ladder = ladder
        self.ladderCoreCount = max(1, ladderCoreCount ?? Int(antena_usable_processor_count()))
        self.scanInterval = scanInterval
        self.maximumIndexCacheByteCount = maximumIndexCacheByteCount
        self.maximumOpenTitleCount = maximumOpenTitleCount
    }
}
