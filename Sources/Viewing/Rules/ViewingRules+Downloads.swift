package import MediaAccess

extension ViewingRules {
    /// Decides about a download of an offline copy by the signature in its address and by its title, once the rental,
    /// the device and the copy are known to be good: their ends say more than that of the address.
    ///
    /// - Parameters:
    ///   - signature: the answer to whether the address is signed.
    ///   - isHidden: whether the title is hidden; `nil` while it is not known.
    /// - Returns: `nil` if nothing denies the download.
    package static func denial(_ signature: SignatureDecision, isHidden: Bool?) -> DownloadDenial? {
        switch (signature, isHidden) {
        case (.wrong, _), (.revoked, _): .wrongAddress
        case (.unavailable, _): .unavailable
        case (.valid, true?), (.expired, true?): .hidden
        case (.expired, false?): .expired
        case (.valid, false?), (.valid, nil), (.expired, nil): nil
        }
    }
}
