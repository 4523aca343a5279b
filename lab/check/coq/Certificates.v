(* The theorems about the tables of Tables.v; docs/proofs/machine-checked.md states them in words. *)
From Coq Require Import Reals ZArith List Lia Lra Bool.
From Interval Require Import Tactic.
From Samplez Require Import Gaussian Checker Tables.
Import ListNotations.
Local Open Scope R_scope.

(* A guess of exp(-den^2/(2 num^2)) by its series. The interval tactic proves that it is within 2^-374. *)
Fixpoint series (t : Z) (k : nat) (j term : Z) : Z :=
  match k with O => 0%Z | S k => (term + series t k (j + 1) (- (term * t) / (one * j)))%Z end.
Definition guess : Z := Eval vm_compute in series (sigma_den ^ 2 * one / (2 * sigma_num ^ 2)) 99 1 one.
Definition base_lo : Z := Eval vm_compute in (guess - 2 ^ 10)%Z.
Definition base_hi : Z := Eval vm_compute in (guess + 2 ^ 10)%Z.

Lemma base : IZR base_lo <= exp (- (IZR sigma_den ^ 2 / (2 * IZR sigma_num ^ 2))) * IZR one <= IZR base_hi.
Proof.
  let v := eval vm_compute in one in change one with v. unfold base_lo, base_hi, sigma_num, sigma_den.
  split; interval with (i_prec 440).
Qed.

Definition width : R := IZR sigma_num / IZR sigma_den.
Definition reach : nat := 60.

(* Numbers in falling order: above j is the one of rank j, and 0 beyond the last. *)
Definition above (numbers : list Z) (j : Z) : Z := nth (Z.to_nat j) numbers 0%Z.
Fixpoint falling (l : list Z) : bool :=
  match l with a :: ((b :: _) as r) => (b <=? a)%Z && falling r | _ => true end.
(* How many of them are above u. *)
Definition count (u : Z) (l : list Z) : Z := Z.of_nat (length (filter (fun t => (u <? t)%Z) l)).

Lemma count_cons u t l : count u (t :: l) = if (u <? t)%Z then (count u l + 1)%Z else count u l.
Proof. unfold count. simpl filter. destruct (u <? t)%Z; [simpl length; lia | reflexivity]. Qed.

Lemma falling_least a l x : falling (a :: l) = true -> In x l -> (x <= a)%Z.
Proof.
  revert a. induction l as [|b l IH]; intros a F [-> | i] || intros a F []; simpl in F; apply andb_true_iff in F as [L F];
    apply Z.leb_le in L; [lia|]. specialize (IH b F i). lia.
Qed.

Lemma falling_tail a l : falling (a :: l) = true -> falling l = true.
Proof. destruct l; [reflexivity|]. simpl. rewrite andb_true_iff. tauto. Qed.

Lemma count_above u l j : falling l = true -> (0 <= u)%Z -> (0 <= j)%Z -> (j < count u l <-> u < above l j)%Z.
Proof.
  intros F U J. rewrite <- (Z2Nat.id j J) at 1. unfold above, count. generalize (Z.to_nat j). clear j J.
  induction l as [|t l IH]; intros k.
  - simpl. destruct k; simpl; lia.
  - specialize (IH (falling_tail _ _ F)). simpl filter. destruct (u <? t)%Z eqn:E.
    + apply Z.ltb_lt in E. destruct k as [|k]; simpl length; simpl nth; [lia|]. rewrite <- IH. lia.
    + apply Z.ltb_ge in E. assert (N : forall x, In x (t :: l) -> ~ (u < x)%Z)
        by (intros x [<- | i]; [lia | generalize (falling_least _ _ x F i); lia]).
      assert (length (filter (fun t => (u <? t)%Z) l) = 0)%nat.
      { clear IH. assert (N' : forall x, In x l -> ~ (u < x)%Z) by (intros; apply N; now right). clear N F.
        induction l as [|x l IH]; [reflexivity|]. simpl. destruct (u <? x)%Z eqn:X.
        - apply Z.ltb_lt in X. elim (N' x); [now left | exact X].
        - apply IH. intros; apply N'; now right. }
      split; [lia|]. intros L. destruct (nth_in_or_default k (t :: l) 0%Z) as [i | e]; [now elim (N _ i) | lia].
Qed.

(* The inversion table: T_0 = 2^precision, and W_j = T_j - T_(j+1). *)
Definition cumulative : list Z := (2 ^ precision)%Z :: thresholds.
Definition weight (j : Z) : Z := (above cumulative j - above cumulative (j + 1))%Z.
(* In units of 2^-(precision + 1): the value 0 has all of W_0, and x and -x share W_|x|. *)
Definition cdt_masses (x : Z) : Z := if (x =? 0)%Z then (2 * weight 0)%Z else weight (Z.abs x).
Definition cdt_law : Z -> R := law cdt_masses (2 ^ (precision + 1)).

Lemma cdt_none x : (Z.of_nat reach < Z.abs x)%Z -> cdt_masses x = 0%Z.
Proof.
  intros H. unfold reach in H. unfold cdt_masses. replace (x =? 0)%Z with false by (symmetry; apply Z.eqb_neq; lia).
  unfold weight, above. rewrite !nth_overflow; [reflexivity | |]; simpl length; lia.
Qed.

(* The law of a uniform u below 2^precision: the count of thresholds above it is j for the W_j numbers from T_(j+1) on. *)
Theorem cdt_inversion u j : (0 <= u < 2 ^ precision)%Z -> (0 <= j)%Z ->
  (count u thresholds = j <-> above cumulative (j + 1) <= u < above cumulative j)%Z.
Proof.
  intros U J. assert (F : falling cumulative = true) by (vm_compute; reflexivity).
  assert (C : count u cumulative = (count u thresholds + 1)%Z).
  { unfold cumulative. rewrite count_cons. apply proj2, Z.ltb_lt in U. now rewrite U. }
  generalize (count_above u cumulative j F (proj1 U) J), (count_above u cumulative (j + 1) F (proj1 U) ltac:(lia)).
  rewrite C. lia.
Qed.

(* What `samplez certify --sigma 3.2 --method cdt --precision 128` prints. *)
Theorem cdt_certificate : within cdt_law (gauss width) cdt_sd cdt_r2 cdt_r256 cdt_r513 cdt_rinf cdt_tail.
Proof.
  apply (certified_sound sigma_num sigma_den reach cdt_masses _ base_lo base_hi _ _ _ _ _ _ base cdt_none).
  vm_cast_no_check (eq_refl true).
Qed.

(* knuth-yao-ct: a draw of so many bits has the index first + count - 1, and is open if the count is 0. *)
Record level := { bits : Z; first : Z; numbers : list Z }.
Definition levels : list level := [
  {| bits := 7; first := one_first; numbers := one_numbers |};
  {| bits := 8; first := two_first; numbers := two_numbers |};
  {| bits := 16; first := three_first; numbers := three_numbers |}
].
Definition last : level := {| bits := rest_bits; first := rest_first; numbers := (2 ^ rest_bits)%Z :: rest_numbers |}.
Definition cells (l : level) (j : Z) : Z := (above (numbers l) (j - first l) - above (numbers l) (j + 1 - first l))%Z.
Definition decided (l : level) : Z := above (numbers l) 0.
Definition range (l : level) : R := IZR (2 ^ bits l).

(* The probability of the index j: decided at the first level, or open and then from the other levels. *)
Fixpoint draw (ls : list level) (j : Z) : R :=
  match ls with
  | [] => IZR (cells last j) / range last
  | l :: ls => IZR (cells l j) / range l + (1 - IZR (decided l) / range l) * draw ls j
  end.

(* The same as a numerator and a denominator. *)
Fixpoint fraction (ls : list level) (j : Z) : Z * Z :=
  match ls with
  | [] => (cells last j, 2 ^ bits last)
  | l :: ls => let (p, q) := fraction ls j in (cells l j * q + (2 ^ bits l - decided l) * p, 2 ^ bits l * q)
  end%Z.

Lemma draw_fraction ls j : forallb (fun l => 0 <=? bits l)%Z ls = true ->
  (0 < snd (fraction ls j))%Z /\ draw ls j = IZR (fst (fraction ls j)) / IZR (snd (fraction ls j)).
Proof.
  induction ls as [|l ls IH]; intros H; [split; reflexivity|].
  simpl in H. apply andb_true_iff in H as [B H]. destruct (IH H) as [Q E]. apply Z.leb_le in B. simpl.
  destruct (fraction ls j) as [p q]. simpl in *. assert (R := Z.pow_pos_nonneg 2 (bits l) eq_refl B).
  split; [now apply Z.mul_pos_pos|]. rewrite E. unfold range.
  rewrite plus_IZR, !mult_IZR, minus_IZR. apply IZR_lt in Q, R. field. lra.
Qed.

Definition indices : list Z := map Z.of_nat (seq 0 (length cumulative)).
Definition composed : bool :=
  forallb (fun l => falling (numbers l)) (last :: levels) && (sumI weight indices =? 2 ^ precision)%Z
    && forallb (fun j => let (p, q) := fraction levels j in p * 2 ^ precision =? weight j * q)%Z indices.

(* The levels have exactly the inversion table's law, and with a fair sign that of the samples. *)
Theorem knuth_yao_law j : In j indices -> draw levels j = IZR (weight j) / IZR (2 ^ precision).
Proof.
  intros i. assert (C : composed = true) by (vm_cast_no_check (eq_refl true)).
  unfold composed in C. rewrite !andb_true_iff, forallb_forall in C. destruct C as [_ C].
  rewrite forallb_forall in C. specialize (C j). destruct (draw_fraction levels j eq_refl) as [Q E]. rewrite E.
  destruct (fraction levels j) as [p q]. cbn [fst snd] in *. specialize (C i). apply Z.eqb_eq in C. apply IZR_lt in Q.
  apply (f_equal IZR) in C. rewrite !mult_IZR in C.
  assert (0 < IZR (2 ^ precision)) by (apply IZR_lt; reflexivity).
  apply Rmult_eq_reg_r with (IZR q * IZR (2 ^ precision)); [|apply Rgt_not_eq, Rmult_lt_0_compat; lra].
  field_simplify; lra.
Qed.

Theorem knuth_yao_samples x : In (Z.abs x) indices ->
  cdt_law x = (if (x =? 0)%Z then 1 else / 2) * draw levels (Z.abs x).
Proof.
  intros i. rewrite (knuth_yao_law _ i). unfold cdt_law, law, cdt_masses.
  rewrite Z.pow_add_r by discriminate. rewrite mult_IZR. change (IZR (2 ^ 1)) with 2.
  assert (0 < IZR (2 ^ precision)) by (apply IZR_lt; reflexivity).
  destruct (x =? 0)%Z eqn:E; [apply Z.eqb_eq in E; subst x; rewrite mult_IZR|]; simpl Z.abs; field; lra.
Qed.

(* isochronous: strip j has the weight w_j, and gives the values j + 1 and -j. *)
Definition strip (x : Z) : Z := if (0 <? x)%Z then (x - 1)%Z else (- x)%Z.
Definition strip_weight (x : Z) : Z := above weights (strip x).
Definition goal (x : Z) : Z := above (if (0 <? x)%Z then upper_goals else lower_goals) (strip x).
Definition values : list Z := Eval vm_compute in filter (fun x => 0 <? strip_weight x)%Z (window reach).
Definition p16 : Z := (2 ^ 16)%Z.
Definition p57 : Z := (2 ^ 57)%Z.
(* A unit of goals. *)
Definition p127 : Z := (2 ^ goal_bits)%Z.
(* S exp(-x^2/(2 sigma^2)). *)
Definition height_at (x : Z) : R := IZR height / IZR (p16 * p16) * rho width x.

(* A trial returns x: the strip, the fair bit and the acceptance, whose probability is given. *)
Definition trial (accept : Z -> R) (x : Z) : R := IZR (strip_weight x) / IZR p16 * / 2 * accept x.
(* With the computed goals, and with the exact numbers. *)
Definition computed (x : Z) : R := IZR (goal x) / IZR p127 * IZR p16 / IZR (strip_weight x).
Definition exact (x : Z) : R := height_at x * IZR p16 / IZR (strip_weight x).

Definition strip_ok (x : Z) : bool :=
  ((0 <? strip_weight x) && (0 <=? goal x) && (goal x * p16 <=? strip_weight x * p127)
    && (height * hi base_hi x <? strip_weight x * p16 * one)
    && (goal x * (p57 * (p16 * p16)) * one <=? (p57 + 18) * height * p127 * lo base_lo x)
    && ((p57 - 6) * height * p127 * hi base_hi x <=? (goal x + 1) * (p57 * (p16 * p16)) * one))%Z.
Lemma strips_checked : forallb strip_ok values = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Lemma base_nonnegative : (0 <= base_lo)%Z.
Proof. discriminate. Qed.

Lemma rho_bounds x : IZR (lo base_lo x) <= rho width x * IZR one <= IZR (hi base_hi x).
Proof.
  assert (E : rho width x = exp (- (IZR sigma_den ^ 2 / (2 * IZR sigma_num ^ 2))) ^ Z.to_nat (x * x)).
  { rewrite <- exp_multiple, INR_IZR_INZ, Z2Nat.id, mult_IZR by nia. unfold rho, width, sigma_num, sigma_den.
    f_equal. field. }
  rewrite E. assert (p := one_pos). destruct base as [L H]. split.
  - apply power_lo; [|nia]. split; [now apply IZR_le, base_nonnegative | exact L].
  - apply power_hi; [|nia]. split; [|exact H]. apply Rmult_le_pos; [apply Rlt_le, exp_pos | lra].
Qed.

(* The three inequalities of strip_ok with real numbers, for any integers. *)
Section Inequalities.
  Variables (t h l w g a b c u : Z) (r : R).
  Hypotheses (U : 0 < IZR u) (T : 0 <= IZR t) (A : 0 < IZR a) (B : 6 < IZR b) (C : 0 < IZR c).
  Hypotheses (L : IZR l <= r * IZR u) (H : r * IZR u <= IZR h).
  Let e : R := IZR t / IZR (a * a) * r.

  Lemma weight_exceeds : (t * h < w * a * u)%Z -> e * IZR a < IZR w.
  Proof.
    intros E. apply IZR_lt in E. rewrite !mult_IZR in E. apply Rmult_lt_reg_r with (IZR a * IZR u); [now apply Rmult_lt_0_compat|].
    unfold e. rewrite mult_IZR. replace (IZR t / (IZR a * IZR a) * r * IZR a * (IZR a * IZR u)) with (IZR t * (r * IZR u)) by (field; lra).
    apply Rle_lt_trans with (IZR t * IZR h); [now apply Rmult_le_compat_l | lra].
  Qed.

  Let scale : R := IZR c * (IZR b * (IZR a * IZR a)) * IZR u.
  Lemma scale_pos : 0 < scale.
  Proof. unfold scale. repeat apply Rmult_lt_0_compat; lra. Qed.

  Lemma goal_below : (g * (b * (a * a)) * u <= (b + 18) * t * c * l)%Z -> IZR g / IZR c <= (1 + 18 / IZR b) * e.
  Proof.
    intros E. apply IZR_le in E. rewrite !mult_IZR, plus_IZR in E. apply Rmult_le_reg_r with (1 := scale_pos).
    unfold e, scale. rewrite mult_IZR.
    replace (IZR g / IZR c * (IZR c * (IZR b * (IZR a * IZR a)) * IZR u))
      with (IZR g * (IZR b * (IZR a * IZR a)) * IZR u) by (field; lra).
    apply Rle_trans with (1 := E).
    replace ((1 + 18 / IZR b) * (IZR t / (IZR a * IZR a) * r) * (IZR c * (IZR b * (IZR a * IZR a)) * IZR u))
      with ((IZR b + 18) * IZR t * IZR c * (r * IZR u)) by (field; lra).
    apply Rmult_le_compat_l; [repeat apply Rmult_le_pos; lra | exact L].
  Qed.

  Lemma goal_above : ((b - 6) * t * c * h <= (g + 1) * (b * (a * a)) * u)%Z ->
    (1 - 6 / IZR b) * e <= (IZR g + 1) / IZR c.
  Proof.
    intros E. apply IZR_le in E. rewrite !mult_IZR, minus_IZR, plus_IZR in E. apply Rmult_le_reg_r with (1 := scale_pos).
    unfold e, scale. rewrite mult_IZR.
    replace ((IZR g + 1) / IZR c * (IZR c * (IZR b * (IZR a * IZR a)) * IZR u))
      with ((IZR g + 1) * (IZR b * (IZR a * IZR a)) * IZR u) by (field; lra).
    apply Rle_trans with (2 := E).
    replace ((1 - 6 / IZR b) * (IZR t / (IZR a * IZR a) * r) * (IZR c * (IZR b * (IZR a * IZR a)) * IZR u))
      with ((IZR b - 6) * IZR t * IZR c * (r * IZR u)) by (field; lra).
    apply Rmult_le_compat_l; [repeat apply Rmult_le_pos; lra | exact H].
  Qed.
End Inequalities.

Lemma p16_pos : 0 < IZR p16.
Proof. now apply IZR_lt. Qed.
Lemma p127_pos : 0 < IZR p127.
Proof. now apply IZR_lt. Qed.
Lemma p57_pos : 6 < IZR p57.
Proof. now apply IZR_lt. Qed.
Lemma height_pos : 0 < IZR height.
Proof. now apply IZR_lt. Qed.

Lemma strips_facts x : In x values ->
  0 < IZR (strip_weight x) /\ 0 <= IZR (goal x) /\ IZR (goal x) * IZR p16 <= IZR (strip_weight x) * IZR p127
  /\ height_at x * IZR p16 < IZR (strip_weight x)
  /\ IZR (goal x) / IZR p127 <= (1 + 18 / IZR p57) * height_at x
  /\ (1 - 6 / IZR p57) * height_at x <= (IZR (goal x) + 1) / IZR p127.
Proof.
  intros i. assert (C := proj1 (forallb_forall _ _) strips_checked x i). unfold strip_ok in C. rewrite !andb_true_iff, !Z.leb_le, !Z.ltb_lt in C.
  destruct C as [[[[[A B] D] E] F] G]. destruct (rho_bounds x) as [L H].
  assert (t := Rlt_le _ _ height_pos). rewrite <- !mult_IZR. repeat split.
  - now apply IZR_lt.
  - now apply IZR_le.
  - now apply IZR_le.
  - apply (weight_exceeds _ _ _ _ _ _ one_pos t p16_pos H E).
  - apply (goal_below _ _ _ _ _ _ _ _ one_pos t p16_pos p57_pos p127_pos L F).
  - apply (goal_above _ _ _ _ _ _ _ _ one_pos t p16_pos p57_pos p127_pos H G).
Qed.

(* The weights are probabilities. No weight is exceeded: with the computed goals and with the exact numbers, a trial accepts with
   a probability. *)
Theorem strips_weights : sumI (fun w => w) weights = (2 ^ 16)%Z.
Proof. reflexivity. Qed.

Lemma height_at_pos x : 0 < height_at x.
Proof.
  unfold height_at. apply Rmult_lt_0_compat; [|apply exp_pos]. rewrite mult_IZR.
  apply Rdiv_lt_0_compat; [apply height_pos | apply Rmult_lt_0_compat; apply p16_pos].
Qed.

Theorem strips_accept x : In x values -> 0 <= computed x <= 1 /\ 0 < exact x < 1.
Proof.
  intros i. destruct (strips_facts x i) as (A & B & C & D & _). unfold computed, exact.
  assert (e := height_at_pos x). assert (p := p16_pos). assert (q := p127_pos).
  repeat split.
  - repeat (apply Rmult_le_pos; try now apply Rlt_le); auto using Rlt_le, Rinv_0_lt_compat.
  - apply Rmult_le_reg_r with (IZR (strip_weight x) * IZR p127); [now apply Rmult_lt_0_compat|].
    replace (IZR (goal x) / IZR p127 * IZR p16 / IZR (strip_weight x) * (IZR (strip_weight x) * IZR p127))
      with (IZR (goal x) * IZR p16) by (field; lra). lra.
  - apply Rdiv_lt_0_compat; [now apply Rmult_lt_0_compat | exact A].
  - apply Rmult_lt_reg_r with (1 := A). unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

(* The weights cancel: a trial returns x with half of S exp(-x^2/(2 sigma^2)), or half of the computed goal in its place. *)
Theorem strips_trial x : In x values ->
  trial exact x = / 2 * height_at x /\ trial computed x = / 2 * (IZR (goal x) / IZR p127).
Proof.
  intros i. destruct (strips_facts x i) as (A & _). assert (p := p16_pos). assert (q := p127_pos).
  unfold trial, exact, computed. split; field; lra.
Qed.

(* The computed goals are the exact numbers within 18 units of 2^-57, and one unit of 2^-127. *)
Theorem strips_goals x : In x values ->
  (1 - 6 / IZR p57) * height_at x - / IZR p127 <= IZR (goal x) / IZR p127 <= (1 + 18 / IZR p57) * height_at x.
Proof.
  intros i. destruct (strips_facts x i) as (_ & _ & _ & _ & H & L). split; [|exact H].
  assert (q := p127_pos). replace ((IZR (goal x) + 1) / IZR p127) with (IZR (goal x) / IZR p127 + / IZR p127) in L by (field; lra).
  lra.
Qed.

(* The law of accepted values, with the computed goals: each goal over their sum. *)
Definition strips_masses (x : Z) : Z := if existsb (Z.eqb x) values then goal x else 0%Z.
Definition goals_sum : Z := Eval vm_compute in sumI goal values.
Definition strips_law : Z -> R := law strips_masses goals_sum.

Lemma strips_none x : (Z.of_nat reach < Z.abs x)%Z -> strips_masses x = 0%Z.
Proof.
  intros H. unfold strips_masses. destruct (existsb (Z.eqb x) values) eqn:E; [|reflexivity].
  apply existsb_exists in E as (y & i & e). apply Z.eqb_eq in e. subst y.
  assert (B : forallb (fun y => Z.abs y <=? Z.of_nat reach)%Z values = true) by reflexivity.
  rewrite forallb_forall in B. specialize (B x i). apply Z.leb_le in B. lia.
Qed.

(* What `samplez certify --sigma 3.2 --method isochronous` prints. *)
Theorem strips_certificate : within strips_law (gauss width) strips_sd strips_r2 strips_r256 strips_r513 strips_rinf strips_tail.
Proof.
  apply (certified_sound sigma_num sigma_den reach strips_masses _ base_lo base_hi _ _ _ _ _ _ base strips_none).
  vm_cast_no_check (eq_refl true).
Qed.

Definition all := (cdt_inversion, cdt_certificate, knuth_yao_law, knuth_yao_samples, strips_weights, strips_accept,
  strips_trial, strips_goals, strips_certificate).
Print Assumptions all.
