/// The reasons why nobody gets anything at the address of an offline copy.
package enum DownloadDenial: Error, Hashable, CaseIterable {
    /// This server has not signed it.
    case wrongAddress
    case expired
    /// The title was hidden.
    case hidden
    /// The database does not answer.
    case unavailable
}
