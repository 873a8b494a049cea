import CAntenaSystem

/// Where the library is and how hard it may work.
package struct VODLibraryConfiguration: Sendable {
    /// Holds `vod` and `audio`.
    package var mediaDirectory: String
    /// Everything the library writes lies below it.
    package var dataDirectory: String
    /// Recordings of channels: titles that lie outside of the media folder; `nil` for none.
    package var recordingsDirectory: String?
    /// The program that is started for each file that libav has to open.
    package var workerExecutable: String
    /// Conversions at once. Each may use every core.
    package var maximumConcurrentJobCount: Int
    /// Other qualities that are made of every title.
    package var ladder: LadderPolicy
    /// What making them may keep busy at once: as many as this process may use, whatever the machine has.
    package var ladderCoreCount: Int
    /// Between two looks at the media folder.
    package var scanInterval: Duration
    /// Sample tables of titles that are being watched; 21 bytes a sample.
    package var maximumIndexCacheByteCount: Int
    /// Of those titles. Each holds a file descriptor, of which a process has 1,024 unless told otherwise, and viewers
    /// need most.
    package var maximumOpenTitleCount: Int
    /// Whether another part of the server keeps a choice for a title, by its id: a title with one stays itself.
    package var hasChoice: @Sendable (String) -> Bool = { _ in false }

    /// More at once make each of them slower.
    private static let maximumDownloadCount = 2

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

    /// How many of a lane's jobs are done at once. Indexing waits for the disk, not for the processor, and a track or
    /// a poster takes a second: one after the other is soon enough.
    func width(of lane: IngestLane) -> Int {
        switch lane {
        case .indexing, .short, .background, .ladder: 1
        case .conversion: max(1, maximumConcurrentJobCount)
        case .download: Self.maximumDownloadCount
        }
    }
}
