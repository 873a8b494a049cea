package import NIOPosix
package import Packaging

/// The muxer of MPEG-TS, and its threads.
package struct TransportStreamMuxing: Sendable {
    let muxer: any TransportStreamMuxer
    /// Threads that mux, separate so that muxing does not delay reads; `nil` for those that read.
    let threadPool: NIOThreadPool?

    /// - Parameters:
    ///   - muxer: muxes.
    ///   - threadPool: threads that mux; `nil` for those that read.
    package init(_ muxer: any TransportStreamMuxer, on threadPool: NIOThreadPool? = nil) {
        (self.muxer, self.threadPool) = (muxer, threadPool)
    }
}
