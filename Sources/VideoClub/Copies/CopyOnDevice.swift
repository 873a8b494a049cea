package import Accounts
package import MediaCore

/// The state of a rendition's offline copy on one device.
package struct CopyOnDevice: Sendable, Hashable {
    package var device: OpaqueID
    /// The owner's name for the device.
    package var deviceName: String
    package var rendition: String
    package var state: CopyDownloadState
    package var changedAt: WallClockTime
}

extension Collection<CopyOnDevice> {
    /// The state on the device that has the most of it; `none` without any.
    package var state: CopyDownloadState {
        contains { $0.state == .downloaded } ? .downloaded : isEmpty ? .none : .partial
    }
}
