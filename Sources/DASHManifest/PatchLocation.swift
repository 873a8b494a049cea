/// The address at which a player gets the difference between its manifest and a later one (PatchLocation, ISO/IEC
/// 23009-1:2022 §5.3.1.2).
package struct PatchLocation: Sendable, Hashable {
    /// The address, relative to the manifest's.
    package var address: String
    /// Seconds after the manifest's publication during which there is a patch.
    package var lifetime: Double

    package init(address: String, lifetime: Double) { (self.address, self.lifetime) = (address, lifetime) }

    func write(into writer: inout XMLWriter) {
        writer.element("PatchLocation", [.init("ttl", decimal: lifetime)], text: address)
    }
}
