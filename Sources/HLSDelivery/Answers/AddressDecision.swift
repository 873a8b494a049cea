/// The answer to the question whether somebody may have what an address leads to.
///
/// What has no reading is not the same as what everybody may have, so each case has to be answered.
package enum AddressDecision: Sendable, Hashable {
    /// The address leads to no media, or to what is not there any more.
    case nothing
    /// Its parameters could be read in two ways.
    ///
    /// - Parameter reason: a clause that says which.
    case conflict(String)
    /// It leads to media.
    ///
    /// - Parameter address: the path and the parameters on which the answer depends, in one spelling, without the
    ///   signature: a key for copies. `/signed` at the start tells signed addresses apart.
    case decided(ViewingDecision, address: String)
}
