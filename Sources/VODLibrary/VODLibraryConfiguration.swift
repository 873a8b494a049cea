/// Where the library is and how hard it may work.
package struct VODLibraryConfiguration: Sendable {
    /// Holds `vod` and `audio`.
    package var mediaDirectory: String
    /// Everything the library writes lies below it.
    package var dataDirectory: String
    /// The program that is started for each file that libav has to open.
    package var workerExecutable: String
    /// At once. Each may use every core.
    package var maximumConcurrentJobCount: Int
    /// Between two looks at the media folder.
    package var scanInterval: Duration
    /// Sample tables of titles that are being watched; 21 bytes a sample.
    package var maximumIndexCacheByteCount: Int

    package init(
        mediaDirectory: String, dataDirectory: String, workerExecutable: String, maximumConcurrentJobCount: Int = 2,
        scanInterval: Duration = .seconds(2), maximumIndexCacheByteCount: Int = 256 << 20
    ) {
        self.mediaDirectory = mediaDirectory
        self.dataDirectory = dataDirectory
        self.workerExecutable = workerExecutable
        self.maximumConcurrentJobCount = maximumConcurrentJobCount
        self.scanInterval = scanInterval
        self.maximumIndexCacheByteCount = maximumIndexCacheByteCount
    }
}
