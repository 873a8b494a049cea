/// The state of a rental's offline copy on the member's devices. The texts are stored and never change.
package enum CopyDownloadState: String, Sendable, Hashable, CaseIterable {
    /// No device has asked for it.
    case none
    /// A device has begun to download it.
    case partial
    /// A device has all of it.
    case downloaded
}
