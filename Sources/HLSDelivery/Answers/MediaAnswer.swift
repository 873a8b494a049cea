import NIOCore

/// The answer to a media request.
enum MediaAnswer: Sendable {
    /// A response in memory.
    case response(MediaResponse)
    /// A response in memory that is not cached; the objects are kept alive until it has been sent.
    case held(MediaResponse, [any AnyObject & Sendable])
    /// An answer that has to wait for the next part, a disk or the catalogue.
    ///
    /// - Parameters:
    ///   - cancel: called on the event loop if the client disconnects first.
    ///   - waitsForMedia: whether it waits for media that the publisher has not sent yet.
    case pending(
        EventLoopFuture<MediaAnswer>, cancel: (@Sendable () -> Void)? = nil, waitsForMedia: Bool = false)
    /// A file that is sent in pieces.
    case file(FileTransfer)
    /// A live segment that is sent while it is made.
    case growing(GrowingSegment)
}
