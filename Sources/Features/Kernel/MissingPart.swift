/// A mistake in the order of ``Features/all``: a feature needs a part that is opened after it.
package struct MissingPart: Error, CustomStringConvertible {
    let name: String

    package var description: String { "\(name) is not open yet" }
}
