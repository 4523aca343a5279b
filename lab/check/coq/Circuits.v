(* The theorems about the circuits of Netlists.v; docs/proofs/circuit.md states them in words. *)
From Coq Require Import Reals ZArith List Lia Lra Bool FunctionalExtensionality.
From Interval Require Import Tactic.
From Samplez Require Import Gaussian Checker Tables Certificates Circuit Netlists.
Import ListNotations.
Local Open Scope Z_scope.

(* The masses of a table of thresholds, as in Certificates.v: W_j of one side, and both sides in units of 2^-(precision + 1). *)
Section Masses.
  Variables (precision : Z) (thresholds : list Z).
  Definition one_side (j : Z) : Z :=
    if 0 <=? j then above (2 ^ precision :: thresholds) j - above (2 ^ precision :: thresholds) (j + 1) else 0.
  Definition both_sides (x : Z) : Z := if x =? 0 then 2 * one_side 0 else one_side (Z.abs x).

  Lemma one_side_none j : j < 0 \/ Z.of_nat (length thresholds) < j -> one_side j = 0.
  Proof.
    intros H. unfold one_side. destruct (Z.leb_spec 0 j); [|reflexivity]. unfold above.
    rewrite !nth_overflow; [reflexivity | |]; simpl length; lia.
  Qed.

  Lemma both_sides_none x : Z.of_nat (length thresholds) < Z.abs x -> both_sides x = 0.
  Proof.
    intros H. unfold both_sides. destruct (Z.eqb_spec x 0); [lia|]. apply one_side_none. now right.
  Qed.

  (* A positive answer of the check: over all inputs, each sample is as frequent as the thresholds state. *)
  Definition is_one_side k c := is_law k unsigned c (map Z.of_nat (seq 0 (S (length thresholds)))) one_side.
  Theorem one_side_sound k c : is_one_side k c = true -> forall x, occurrences unsigned c x = one_side x.
  Proof.
    intros H x. apply (is_law_sound _ _ _ _ _ H). intros y N. apply one_side_none.
    destruct (Z.ltb_spec y 0); [now left|]. right. apply Z.nle_gt. intros L. apply N, in_map_iff. exists (Z.to_nat y).
    split; [lia | apply in_seq; lia].
  Qed.

  Definition is_both_sides k c := is_law k signed c (window (length thresholds)) both_sides.
  Theorem both_sides_sound k c : is_both_sides k c = true -> forall x, occurrences signed c x = both_sides x.
  Proof.
    intros H x. apply (is_law_sound _ _ _ _ _ H). intros y N. apply both_sides_none, Z.nle_gt. intros L.
    now apply N, in_window.
  Qed.

  (* The circuit's law over uniform inputs has the distances that the other check computes from the thresholds. *)
  Definition circuit_law (c : netlist) (x : Z) : R := (IZR (occurrences signed c x) / IZR (2 ^ Z.of_nat (inputs c)))%R.
  Theorem circuit_sound k c num den n base_lo base_hi sd r2 r256 r513 rinf tail :
    is_both_sides k c = true -> Z.of_nat (inputs c) = precision + 1 -> (length thresholds <= n)%nat ->
    (IZR base_lo <= exp (- (IZR den ^ 2 / (2 * IZR num ^ 2))) * IZR one <= IZR base_hi)%R ->
    certified num den n both_sides (2 ^ (precision + 1)) base_lo base_hi sd r2 r256 r513 rinf tail = true ->
    within (circuit_law c) (gauss (IZR num / IZR den)) sd r2 r256 r513 rinf tail.
  Proof.
    intros S I L B C. replace (circuit_law c) with (law both_sides (2 ^ (precision + 1))).
    - apply (certified_sound num den n both_sides _ base_lo base_hi); [exact B | | exact C].
      intros x H. apply both_sides_none. lia.
    - apply functional_extensionality. intros x. unfold circuit_law, law. now rewrite (both_sides_sound k c S), I.
  Qed.
End Masses.

(* e^(-den^2/(2 num^2)) by its series, within 2^-374. *)
Definition near (num den : Z) : Z := series (den ^ 2 * one / (2 * num ^ 2)) 99 1 one.

(* sigma = 1.278 and 78 bits. *)
Definition narrow_lo := Eval vm_compute in near narrow_num narrow_den - 2 ^ 10.
Definition narrow_hi := Eval vm_compute in near narrow_num narrow_den + 2 ^ 10.
Lemma narrow_base : (IZR narrow_lo <= exp (- (IZR narrow_den ^ 2 / (2 * IZR narrow_num ^ 2))) * IZR one <= IZR narrow_hi)%R.
Proof.
  let v := eval vm_compute in one in change one with v. unfold narrow_lo, narrow_hi, narrow_num, narrow_den.
  split; interval with (i_prec 440).
Qed.
Lemma narrow_checked : is_both_sides narrow_precision narrow_thresholds narrow_columns narrow = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Theorem narrow_counts x : occurrences signed narrow x = both_sides narrow_precision narrow_thresholds x.
Proof. exact (both_sides_sound _ _ _ _ narrow_checked x). Qed.
Theorem narrow_certificate :
  within (circuit_law narrow) (gauss (IZR narrow_num / IZR narrow_den)) narrow_sd narrow_r2 narrow_r256 narrow_r513 narrow_rinf narrow_tail.
Proof.
  apply (circuit_sound narrow_precision narrow_thresholds narrow_columns narrow _ _ 20 narrow_lo narrow_hi _ _ _ _ _ _
    narrow_checked); [reflexivity | now apply Nat.leb_le | exact narrow_base | vm_cast_no_check (eq_refl true)].
Qed.

(* sigma = 1.8205 and 72 bits. *)
Definition middle_lo := Eval vm_compute in near middle_num middle_den - 2 ^ 10.
Definition middle_hi := Eval vm_compute in near middle_num middle_den + 2 ^ 10.
Lemma middle_base : (IZR middle_lo <= exp (- (IZR middle_den ^ 2 / (2 * IZR middle_num ^ 2))) * IZR one <= IZR middle_hi)%R.
Proof.
  let v := eval vm_compute in one in change one with v. unfold middle_lo, middle_hi, middle_num, middle_den.
  split; interval with (i_prec 440).
Qed.
Lemma middle_checked : is_both_sides middle_precision middle_thresholds middle_columns middle = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Theorem middle_counts x : occurrences signed middle x = both_sides middle_precision middle_thresholds x.
Proof. exact (both_sides_sound _ _ _ _ middle_checked x). Qed.
Theorem middle_certificate :
  within (circuit_law middle) (gauss (IZR middle_num / IZR middle_den)) middle_sd middle_r2 middle_r256 middle_r513 middle_rinf middle_tail.
Proof.
  apply (circuit_sound middle_precision middle_thresholds middle_columns middle _ _ 25 middle_lo middle_hi _ _ _ _ _ _
    middle_checked); [reflexivity | now apply Nat.leb_le | exact middle_base | vm_cast_no_check (eq_refl true)].
Qed.

(* sigma = 3.2 and 128 bits, the table of Certificates.v. *)
Lemma wide_checked : is_both_sides precision thresholds wide_columns wide = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Theorem wide_counts x : occurrences signed wide x = cdt_masses x.
Proof.
  rewrite (both_sides_sound _ _ _ _ wide_checked x). unfold both_sides, cdt_masses, one_side, weight.
  destruct (x =? 0); [reflexivity|]. now replace (0 <=? Z.abs x) with true by (symmetry; apply Z.leb_le, Z.abs_nonneg).
Qed.
Theorem wide_certificate : within (circuit_law wide) (gauss width) cdt_sd cdt_r2 cdt_r256 cdt_r513 cdt_rinf cdt_tail.
Proof.
  replace (circuit_law wide) with cdt_law; [exact cdt_certificate|].
  apply functional_extensionality. intros x. unfold circuit_law, cdt_law, law. now rewrite wide_counts.
Qed.

(* Falcon's table: one side at sigma = 1.8205, 72 bits. *)
Lemma falcon_checked : is_one_side falcon_precision falcon_thresholds falcon_columns falcon = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Theorem falcon_counts x : occurrences unsigned falcon x = one_side falcon_precision falcon_thresholds x.
Proof. exact (one_side_sound _ _ _ _ falcon_checked x). Qed.

(* Without axioms. *)
Definition counts := (narrow_counts, middle_counts, wide_counts, falcon_counts).
Print Assumptions counts.
Definition certificates := (narrow_certificate, middle_certificate, wide_certificate).
Print Assumptions certificates.
