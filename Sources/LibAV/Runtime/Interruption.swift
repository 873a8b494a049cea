package import CLibAV

/// A stop request that long operations poll, so that a task can be stopped from another thread.
package final class Interruption: Sendable {
    private let shouldStop: @Sendable () -> Bool

    /// Creates a stop request.
    ///
    /// - Parameter shouldStop: Called from libav's threads; after it has returned true it must keep returning true.
    package init(_ shouldStop: @escaping @Sendable () -> Bool) { self.shouldStop = shouldStop }

    /// Never requests a stop.
    package static let never = Interruption { false }

    /// True from the moment on at which a stop is requested.
    package var isRequested: Bool { shouldStop() }

    /// Throws ``LibAVError`` with code `interrupted` if a stop is requested.
    package func check(file: String) throws(LibAVError) {
        if shouldStop() { throw LibAVError(.interrupted, file: file, "took too long or was cancelled") }
    }

    /// The callback that libav's contexts poll while they wait. It is unretained: the owner of the context must keep
    /// this object alive for as long.
    package var callback: AVIOInterruptCB {
        AVIOInterruptCB(
            callback: { opaque in
                guard let opaque else { return 0 }
                return Unmanaged<Interruption>.fromOpaque(opaque).takeUnretainedValue().isRequested ? 1 : 0
            },
            opaque: Unmanaged.passUnretained(self).toOpaque())
    }
}
