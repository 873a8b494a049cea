import Foundation
import HLSDelivery
import HTTPEndpoints

extension ServerConfiguration {
    /// Limit of the addresses of reverse proxies.
    private static let maximumProxyCount = 64

    static func publicAddress(_ sources: SettingSources) throws(SettingError) -> PublicAddress? {
        guard let (text, setting) = sources.value(of: .publicURL) else { return nil }
        guard let address = PublicAddress(parsing: text) else {
            throw SettingError(
                setting: setting, value: text,
                message: "must be the address of the site without a path, such as https://tv.example.org")
        }
        return address
    }

    static func authorizationHook(_ sources: SettingSources) throws(SettingError) -> String? {
        guard let (text, setting) = sources.value(of: .authHook) else { return nil }
        guard let components = URLComponents(string: text),
            ["http", "https"].contains(components.scheme?.lowercased()),
            components.host?.isEmpty == false
        else {
            throw SettingError(
                setting: setting, value: text, message: "must be a URL such as http://127.0.0.1:9000/authorize")
        }
        return text
    }

    /// Limit of the time for which browsers keep to HTTPS, two years, in seconds.
    private static let maximumStrictTransportAge = 63_072_000

    /// The HTTPS policy that browsers are sent. By default browsers keep to HTTPS if that breaks nothing: if the
    /// site's address is an HTTPS one, or if HTTP is for the server's own machine only.
    func strictTransport(_ sources: SettingSources) throws(SettingError) -> StrictTransport {
        guard let (text, setting) = sources.value(of: .hsts) else {
            if let publicAddress { return publicAddress.isSecure ? .usual : .off }
            return https != nil && ["127.0.0.1", "::1", "localhost"].contains(http.host) ? .usual : .off
        }
        if text.lowercased() == "off" { return .off }
        guard let seconds = Int(text), (0...Self.maximumStrictTransportAge).contains(seconds) else {
            throw SettingError(
                setting: setting, value: text,
                message: "must be a number of seconds from 0 to \(Self.maximumStrictTransportAge), or off")
        }
        return StrictTransport(maximumAge: .seconds(seconds))
    }

    static func crossOrigin(_ sources: SettingSources) throws(SettingError) -> CrossOriginPolicy {
        guard let (text, setting) = sources.value(of: .corsOrigin) else { return .none }
        guard let policy = CrossOriginPolicy(parsing: text) else {
            throw SettingError(
                setting: setting, value: text,
                message: "must be origins, separated by commas, such as https://tv.example.org, or *")
        }
        return policy
    }

    static func mediaCrossOrigin(_ sources: SettingSources) throws(SettingError) -> MediaCrossOriginPolicy {
        guard let (text, setting) = sources.value(of: .mediaCorsOrigin) else { return .everyone }
        if text == "none" { return .none }
        guard let policy = CrossOriginPolicy(parsing: text) else {
            throw SettingError(
                setting: setting, value: text,
                message: "must be origins, separated by commas, such as https://tv.example.org, or * or none")
        }
        return MediaCrossOriginPolicy(origins: policy.origins)
    }

    static func proxies(_ sources: SettingSources) throws(SettingError) -> TrustedProxies {
        var field = TrustedProxies.Field.xForwardedFor
        if let (text, setting) = sources.value(of: .forwardedHeader) {
            guard let named = TrustedProxies.Field(rawValue: text.lowercased()) else {
                throw SettingError(
                    setting: setting, value: text, message: "must be one of: x-forwarded-for, forwarded")
            }
            field = named
        }
        guard let (text, setting) = sources.value(of: .trustedProxy) else { return .none }
        let parts = text.split(separator: ",").map { $0.filter { $0 != " " } }
        let ranges = parts.compactMap { AddressRange(parsing: $0) }
        guard ranges.count == parts.count, (1...maximumProxyCount).contains(ranges.count) else {
            throw SettingError(
                setting: setting, value: text,
                message: "must be addresses of proxies, separated by commas, such as 127.0.0.1,10.0.0.0/8")
        }
        return TrustedProxies(ranges, field: field)
    }
}
