/// Limits and time-outs of an ``ObjectStore``. The defaults suit every store that is known; tests use smaller ones.
package struct ObjectStoreSettings: Sendable, Hashable {
    /// Requests that read or describe objects and run at the same time.
    package var maximumRequestCount = 16
    /// Requests that send parts of files and run at the same time. They have slots of their own, so that uploads over a
    /// slow line do not keep viewers waiting.
    package var maximumUploadCount = 8
    /// Requests of each kind that wait for a slot; further ones fail with ``MediaStorageError/Code/busy``.
    package var maximumWaitingCount = 256

    package var connectTimeout = Duration.seconds(5)
    /// Limit of silence while an answer, or the rest of one, is expected.
    package var readTimeout = Duration.seconds(10)
    /// The same for requests after which the store joins or copies objects.
    package var joiningTimeout = Duration.seconds(120)
    /// Limit of the time in which the store takes nothing of a body that is sent.
    package var writeTimeout = Duration.seconds(30)
    /// Time from the end of a head to the end of a body that is no object, which has a few kilobytes.
    package var answerTimeout = Duration.seconds(30)
    /// The minimum average rate, in bytes a second, at which a store has to take a body; and of one that it sends.
    package var minimumByteCountPerSecond = 1 << 10
    /// Time over which that is measured of a body that the store sends.
    package var paceTime = Duration.seconds(30)
    package var retries = RetryPolicy()
    /// Reads are given up sooner: a viewer waits for them.
    package var readRetries = {
        var policy = RetryPolicy()
        policy.totalLimit = .seconds(12)
        return policy
    }()

    /// Larger files are put in parts of at least this size. S3 wants at least 5 MiB.
    package var minimumPartByteCount: Int64 = 16 << 20
    /// Parts of an object that are sent at the same time.
    package var concurrentPartCount = 3
    /// Larger objects are copied in parts. S3 copies up to 5 GiB with one request.
    package var maximumCopyByteCount: Int64 = 5 << 30
    package var copyPartByteCount: Int64 = 512 << 20
    /// The greatest number of entries in a page of a list; S3 returns no more than 1,000.
    package var listPageCount = 1_000

    package init() {}

    /// Limit of S3.
    static let maximumPartCount: Int64 = 10_000
    /// Limit of S3: 5 TiB.
    static let maximumObjectByteCount: Int64 = 5 << 40

    /// The size of every part but the last one. Some stores want all of them to be equal.
    func partByteCount(ofFile byteCount: Int64) -> Int64 {
        let mebibyte: Int64 = 1 << 20
        let needed = (byteCount + Self.maximumPartCount - 1) / Self.maximumPartCount
        return max(minimumPartByteCount, (needed + mebibyte - 1) / mebibyte * mebibyte)
    }
}
