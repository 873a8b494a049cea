import MediaStorage

/// The settings of the media store.
extension ServerConfiguration {
    /// A cache must hold more than what is being read ahead for a few viewers.
    static let minimumMediaCacheByteCount: Int64 = 256 << 20

    /// The store of `--media-store` or `ANTENA_MEDIA_STORE`; `nil` if neither is set.
    ///
    /// - Throws: ``SettingError``
    static func mediaStore(
        _ sources: SettingSources, environment: [String: String]
    ) throws(SettingError) -> MediaStoreAddress? {
        guard let (text, setting) = sources.value(of: .mediaStore) else { return nil }
        do {
            return try MediaStoreAddress(parsing: text, environment: environment)
        } catch let error as MediaStorageError {
            throw SettingError(setting: setting, value: text, message: error.reason)
        } catch {
            throw SettingError(setting: setting, value: text, message: "is not the address of a media store")
        }
    }

    /// Parses a size, such as `500M`, `20G` or `2T`; the units are powers of 1,024.
    package static func byteCount(_ text: String, atLeast minimum: Int64, setting: String) throws(SettingError) -> Int64
    {
        let shifts: [Character: Int64] = ["K": 10, "M": 20, "G": 30, "T": 40]
        let unit = text.last.flatMap { shifts[Character($0.uppercased())] }
        let digits = unit == nil ? text[...] : text.dropLast()
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int64(digits) else {
            throw SettingError(setting: setting, value: text, message: "write a number and K, M, G or T, such as 20G")
        }
        let (byteCount, isTooLarge) = number.multipliedReportingOverflow(by: 1 << (unit ?? 0))
        guard !isTooLarge, byteCount >= minimum else {
            throw SettingError(setting: setting, value: text, message: "must be at least \(minimum >> 20)M")
        }
        return byteCount
    }
}
